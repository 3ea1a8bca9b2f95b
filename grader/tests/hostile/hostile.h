/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared by the hostile submissions: a correct vector add, and the call to
 *  attack.
 *
 *  Each NAME.cu attacks; NAME.twin.cu is a near miss that does not.  All
 *  attack only in the test `large`, so that the other tests show whether they
 *  were affected; each attack is bounded and reaches only its own processes.
 *  Second line: `// verdict: V` of the test `large`; `// everywhere`: of all
 *  tests.  `// watched`: the watched cases run, too; then a budget must have
 *  `// review: TEXT`, or all checks and budgets all points if `large` passes.
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

/** True in the call that is attacked. */
static inline bool attacked(size_t n)
{
    return n == 1000003;
}

/** One thread for each element. */
__global__ void honest_kernel(const float *a, const float *b, float *c,
                              size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

/** Adds as the contract requires. */
static inline int honest(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error = 0;

    if (n == 0)
        return 0;
    error = cudaMalloc(&d, 3 * bytes);
    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        honest_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n);
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}

#endif
