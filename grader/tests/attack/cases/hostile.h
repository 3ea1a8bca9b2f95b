/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared by the hostile submissions: a correct vector add, and the call to
 *  attack.
 *
 *  Each NAME.cu attacks; NAME.twin.cu is an honest program as near to it as
 *  possible.  Most attack only in the test `large`, so that the other tests
 *  show whether they were affected; each attack is bounded and reaches only
 *  what this corpus planted.  The table beside this folder has what each must
 *  get.
 *
 *  Before it come these names of what was planted outside of the submission:
 *
 *      PLANTED         a folder: secret and hidden_tests.h (of the grader),
 *                      victim and cache.o (must not change), open (a folder for
 *                      everybody, must stay empty)
 *      PLANTED_PORT    where a listener waits on loopback
 *      PLANTED_SOCKET  name of a listening abstract socket
 *      PLANTED_TREE    the project's tree
 *
 *  and ATTACK_SECRET in the grader's environment.
 *
 *  The text of this file takes the place of its #include: a submission is one
 *  file.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
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
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}

/** Adds; wrong by one element unless `succeeded`: the result of an act that
 *  must be refused. */
static inline int right_if(bool succeeded, const float *a, const float *b,
                           float *c, size_t n)
{
    int error = honest(a, b, c, n);

    if (!succeeded)
        c[n / 2] += 1;
    return error;
}

/** Adds the first `told` elements on the host: `tell` must bring `bytes` bytes
 *  of their sums to d_c without copying them.  The kernel adds the rest. */
static inline int tell_sums(const float *a, const float *b, float *c, size_t n,
                            size_t told,
                            int (*tell)(unsigned char *d_c,
                                        const unsigned char *sums,
                                        size_t bytes))
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL, *sums = (float *)malloc(told * sizeof(float));
    int error = sums ? cudaMalloc(&d, 3 * bytes) : cudaErrorMemoryAllocation;

    for (size_t i = 0; !error && i < told; i++)
        sums[i] = a[i] + b[i];
    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = tell((unsigned char *)(d + 2 * n), (unsigned char *)sums,
                     told * sizeof(float));
    if (!error)
        honest_kernel<<<(n + 255) / 256, 256>>>(d + told, d + n + told,
                                                d + 2 * n + told, n - told);
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    free(sums);
    return error;
}

/** Defines the lab's function: right, but in the attacked call wrong unless
 *  `act` succeeds. */
#define RIGHT_IF(act)                                                     \
    int vector_add(const float *a, const float *b, float *c, size_t n)    \
    {                                                                     \
        return attacked(n) ? right_if(act, a, b, c, n)                    \
                           : honest(a, b, c, n);                          \
    }

#endif
