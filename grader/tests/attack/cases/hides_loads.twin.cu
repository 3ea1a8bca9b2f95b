/* SPDX-License-Identifier: MIT */
/* Names no_sanitize and asm where nothing comes of it. */
#include "hostile.h"

#define UNUSED_UNSEEN __attribute__((no_sanitize("thread"), section(".x")))

static const char advice[] =
    "no asm(\"nop\"), no __attribute__((alias(\"f\")))";

__device__ __attribute__((noinline)) float peek(const float *p)
{
    return *p; /* without no_sanitize("thread") */
}

/* One element a thread; peek() loads both inputs. */
__global__ void peeking_kernel(const float *a, const float *b, float *c,
                               size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = peek(a + i) + peek(b + i);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return advice[0] ? honest(a, b, c, n) : 1;
}
