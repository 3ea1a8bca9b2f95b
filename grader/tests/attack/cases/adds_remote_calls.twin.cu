/* SPDX-License-Identifier: MIT */
/* A table of functions of the host's, by which it chooses one. */
#include "hostile.h"

typedef int adder(const float *, const float *, float *, size_t);

struct entry {
    const char *name;
    adder *call;
};

static int add_nothing(const float *, const float *, float *, size_t)
{
    return 0;
}

extern "C" {
extern const struct entry table[2];
const struct entry table[2] = {{"nothing", add_nothing}, {"some", honest}};
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return table[n > 0].call(a, b, c, n);
}
