#ifndef STORE_H
#define STORE_H

#include <stddef.h>

#define MAX_KEYS 64
#define STORE_CHECK(store) store_check((store), __FILE__, __LINE__)

typedef int (*visit_fn)(int key, void *context);

struct store_ops {
    int (*attach)(const char *path);
    void (*detach)(int handle);
};

struct store {
    int keys[MAX_KEYS];
    size_t len;
    const struct store_ops *ops;
};

struct store *store_new(const char *path);
void store_free(struct store *store);
int store_put(struct store *store, int key);
int store_each(const struct store *store, visit_fn visit, void *context);
void store_check(const struct store *store, const char *file, int line);

static inline int store_is_empty(const struct store *store) {
    return store->len == 0;
}

static inline int store_put_once(struct store *store, int key) {
    if (store_is_empty(store)) {
        return store_put(store, key);
    }
    return 0;
}

#endif
