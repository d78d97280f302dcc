pub const style = @import("style.zig");

pub const Writer = struct {
    path: []const u8,

    pub fn open(path: []const u8) Writer {
        return Writer{ .path = path };
    }

    pub fn flush(self: *Writer) void {
        render(self.path);
        style.bold(self.path);
    }
};

pub fn render(_: []const u8) void {}
