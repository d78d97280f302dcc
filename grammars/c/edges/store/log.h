#pragma once

int log_line(const char *format, ...);
void log_fail(const char *file, int line);
