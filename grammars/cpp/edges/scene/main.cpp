#include "shape.h"
#include "stack.hpp"

using geo::Circle;
namespace txt = util::text;

// Of the same name as a function of shape.cc, and as private.
static void trace(int value) {
    (void)value;
}

static void prepare_twice(geo::Shape& shape) {
    shape.draw();
}

class Widget {
public:
    void draw() {}
    void show(void (*draw)()) {
        draw();
    }
    void refresh() {
        draw();
        geo::Square square;
        square.draw();
        square_.draw();
        shape_->draw();
    }

private:
    geo::Square square_;
    std::unique_ptr<geo::Shape> shape_;
};

template <typename T>
void paint(T& thing) {
    thing.draw();
}

int main() {
    Circle circle(2.0);
    circle.draw();
    circle.area();
    circle.center().scaled(2).length();
    auto owned = std::make_unique<geo::Square>();
    owned->draw();
    auto* raw = new geo::Circle(1.0);
    raw->area();
    prepare_twice(circle);
    trace(1);
    geo::parse(7);
    util::Stack<geo::Point> stack;
    stack.push(geo::Point{});
    stack.pop().length();
    util::largest<int>(1, 2);
    txt::trim(3);
    Widget widget;
    widget.refresh();
    auto twice = [](int value) { return value * 2; };
    twice(4);
    paint(widget);
    return 0;
}
