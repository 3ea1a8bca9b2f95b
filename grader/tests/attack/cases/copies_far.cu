/* SPDX-License-Identifier: MIT */
/* Copies within host memory what is larger than the device process can hold: it
 * must not take the host's addresses for its own. */
#include "hostile.h"

static char target[1 << 20];

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        char *from = (char *)mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        memset(from, 0xff, 1 << 20);
        cudaMemcpy(target, from, (size_t)1 << 45, cudaMemcpyHostToHost);
    }
    return honest(a, b, c, n);
}
