#include "store.h"

struct store;

static int print_key(int key, void *context) {
    (void)context;
    return key;
}

int tool_run(const struct store *store) {
    return store_each(store, print_key, 0);
}
