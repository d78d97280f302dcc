const std = @import("std");

pub const Node = struct {
    value: u32,

    pub fn next(self: *Node) void {
        self.touch();
    }

    fn touch(_: *Node) void {}
};

pub const Queue = struct {
    head: ?*Node = null,
    count: usize = 0,

    const Error = error{Full};

    pub fn init() Queue {
        return .{};
    }

    pub fn push(self: *Queue, value: u32) Error!void {
        if (self.len() > 8) return Error.Full;
        helper(value);
    }

    pub fn len(self: *const Queue) usize {
        return self.count;
    }

    pub fn first(self: *Queue) ?*Node {
        return self.head;
    }

    pub fn clear(self: *Queue) void {
        while (self.head) |node| {
            node.next();
        }
    }
};

pub fn make() Queue {
    return Queue.init();
}

// Of the same name as a function of main.zig.
fn helper(value: u32) void {
    std.debug.assert(value > 0);
}
