#include "shape.h"

#include <cmath>

namespace geo {

namespace {

double square(double value) {
    return value * value;
}

}  // namespace

static void trace(const std::string& text) {
    (void)text;
}

Point Point::scaled(double factor) const {
    return Point{x * factor, y * factor};
}

double Point::length() const {
    return std::sqrt(square(x) + square(y));
}

Shape::Shape(std::string name) : name_(std::move(name)) {}

void Shape::prepare() {
    log("prepare");
}

void Shape::log(const std::string& text) {
    trace(text);
}

Circle::Circle(double radius) : Shape("circle"), radius_(radius) {}

double Circle::area() const {
    prepare_twice(*this);
    return 3.14 * square(radius_);
}

double total(const std::vector<std::unique_ptr<Shape>>& shapes) {
    double sum = 0;
    for (const auto& shape : shapes) {
        sum += shape->area();
    }
    return sum;
}

int parse(int value) {
    return parse(value, 10);
}

int parse(int value, int base) {
    return value * base;
}

}  // namespace geo
