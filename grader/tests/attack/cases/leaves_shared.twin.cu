/* SPDX-License-Identifier: MIT */
/* Uses memory of its own that a child shares. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int *shared = (int *)mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int error = shared == MAP_FAILED;

    if (!error)
        munmap(shared, 4096);
    return error ? error : honest(a, b, c, n);
}
