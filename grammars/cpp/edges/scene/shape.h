#pragma once

#include <memory>
#include <string>
#include <vector>

namespace geo {

struct Point {
    double x = 0;
    double y = 0;

    Point scaled(double factor) const;
    double length() const;
};

class Shape {
public:
    explicit Shape(std::string name);
    virtual ~Shape() = default;

    virtual double area() const = 0;
    const std::string& name() const { return name_; }
    void draw() {
        prepare();
        this->log(name());
    }

protected:
    void prepare();
    void log(const std::string& text);

private:
    std::string name_;
};

class Circle : public Shape {
public:
    explicit Circle(double radius);
    double area() const override;
    Point center() const { return center_; }

private:
    double radius_;
    Point center_;
};

class Square : public Shape {
public:
    Square();
    double area() const override { return 1; }
    void draw() {
        Shape::draw();
    }
};

double total(const std::vector<std::unique_ptr<Shape>>& shapes);
int parse(int value);
int parse(int value, int base);

}  // namespace geo
