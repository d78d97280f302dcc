const std = @import("std");
const queue = @import("queue.zig");
const fmt = @import("format/text.zig");
const Queue = queue.Queue;
const render = @import("format/text.zig").render;

const App = struct {
    const Self = @This();

    jobs: Queue,
    writer: *fmt.Writer,
    on_done: *const fn (u32) void,

    pub fn init(writer: *fmt.Writer) Self {
        return Self{ .jobs = Queue.init(), .writer = writer, .on_done = &done };
    }

    pub fn run(self: *Self) !void {
        self.step();
        try self.jobs.push(1);
        self.writer.flush();
        self.on_done(1);
        Self.check(self);
    }

    fn step(self: *Self) void {
        check(self);
    }

    fn check(_: *Self) void {}

    fn flush(_: *Self) void {}
};

fn done(_: u32) void {}

fn helper() void {
    std.debug.print("x", .{});
}

fn each(jobs: *Queue, visit: fn (u32) void) void {
    visit(1);
    _ = jobs.len();
}

fn visit(_: u32) void {}

pub fn main() !void {
    helper();
    render("a");
    fmt.render("b");
    var writer = fmt.Writer.open("out");
    writer.flush();
    var app = App.init(&writer);
    try app.run();
    var jobs: Queue = Queue.init();
    each(&jobs, visit);
    jobs.first().?.next();
    const made = queue.make();
    made.clear();
    fmt.style.bold("c");
}

test "flushes" {
    const thing = unknown();
    thing.flush();
    try main();
}
