pub fn bold(_: []const u8) void {
    flush();
}

fn flush() void {}
