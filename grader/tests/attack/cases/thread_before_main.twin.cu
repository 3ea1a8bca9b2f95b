/* SPDX-License-Identifier: MIT */
/* The graded function starts a thread, which does all the work, and waits for
 * it. */
#include "hostile.h"

#include <thread>

static void add(const float *a, const float *b, float *c, size_t n,
                int *status)
{
    *status = honest(a, b, c, n);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int status;

    std::thread(add, a, b, c, n, &status).join();
    return status;
}
