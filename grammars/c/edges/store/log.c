#include "log.h"

#include <stdio.h>

static int depth;

static void reset(void) {
    depth = 0;
}

static void flush(void) {
    fflush(stdout);
    reset();
}

int log_line(const char *format, ...) {
    puts(format);
    flush();
    return 0;
}

void log_fail(const char *file, int line) {
    log_line("%s:%d", file, line);
    abort_run(line);
}

static void abort_run(int code) {
    (void)code;
}
