#pragma once

namespace util {

template <typename T>
class Stack {
public:
    void push(const T& value) {
        grow();
    }
    T pop();
    bool empty() const;

private:
    void grow();
};

template <typename T>
T Stack<T>::pop() {
    if (empty()) {
        grow();
    }
    return T();
}

template <typename T>
void Stack<T>::grow() {}

template <typename T>
T largest(const T& a, const T& b) {
    return a < b ? b : a;
}

namespace text {

void trim(int value);

}  // namespace text

}  // namespace util
