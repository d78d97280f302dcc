#include "store.h"

/* Defined in tool.c, which has no header. */
int tool_run(const struct store *store);

static int print_key(int key, void *context) {
    return key > *(int *)context;
}

static int visit(int key) {
    return key;
}

static int hidden(int key, int (*visit)(int)) {
    return visit(key);
}

static int choose(int key, int fast) {
    int (*step)(int) = visit;
    if (fast) {
        step = other;
    }
    return step(key);
}

int main(int argc, char **argv) {
    struct store *store = store_new(argv[0]);
    int limit = argc;
    store_put_once(store, visit(1));
    store_each(store, print_key, &limit);
    store_each(store, &print_key, &limit);
    hidden(2, visit);
    reset(store);
    tool_run(store);
    store_free(store);
    return choose(1, 0);
}
