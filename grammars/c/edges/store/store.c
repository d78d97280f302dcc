#include "store.h"
#include "log.h"

#include <stdlib.h>

static int attach_file(const char *path) {
    return log_line("attach %s", path);
}

static void detach_file(int handle) {
    (void)handle;
}

static const struct store_ops file_ops = {
    .attach = attach_file,
    .detach = detach_file,
};

/* Of the same name as a function of log.c, and as private. */
static void reset(struct store *store) {
    store->len = 0;
}

struct store *store_new(const char *path) {
    struct store *store = malloc(sizeof *store);
    reset(store);
    store->ops = &file_ops;
    store->ops->attach(path);
    return store;
}

void store_free(struct store *store) {
    STORE_CHECK(store);
    store->ops->detach(0);
    free(store);
}

int store_put(struct store *store, int key) {
    if (store->len == MAX_KEYS) {
        return -1;
    }
    store->keys[store->len++] = key;
    return 0;
}

int store_each(const struct store *store, visit_fn visit, void *context) {
    for (size_t at = 0; at < store->len; at++) {
        if (visit(store->keys[at], context)) {
            return 1;
        }
    }
    return 0;
}

void store_check(const struct store *store, const char *file, int line) {
    if (!store) {
        log_fail(file, line);
    }
}
