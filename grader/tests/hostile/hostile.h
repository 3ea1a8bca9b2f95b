/* SPDX-License-Identifier: MIT */
/** @file
 *  What the hostile submissions share: an honest vector add, and when to
 *  attack.
 *
 *  Each NAME.cu attacks, NAME.twin.cu is the nearest program that does not.
 *  All attack in the test `large` alone, so that the others show whether they
 *  were harmed; each attacks only what it made itself and is bounded.
 *  Second line: `// verdict: V` of the test `large`; where the attack reaches
 *  every test, `// everywhere` follows.  `// watched`: it is checked too; then
 *  `// review: TEXT` must be told of a cost, or all checks and costs be at full.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "vector_add.h"

/** True in the one call that is to be attacked. */
static inline bool attacked(size_t n)
{
    return n == 1000003;
}

/** One thread, one element. */
__global__ void honest_kernel(const float *a, const float *b, float *c,
                              size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

/** Adds as the contract says. */
static inline int honest(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error = 0;

    if (n == 0)
        return 0;
    cudaMalloc(&d, 3 * bytes);
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    honest_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n);
    error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}

#endif
