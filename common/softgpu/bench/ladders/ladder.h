/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers of the ladder programs: inputs of small integers, whose float sums
 *  are exact in any order, and a check of every output.
 *
 *  Each program runs every step of its ladder once, on one input, and exits
 *  with 1 if a step is wrong.  A step is one kernel or several, whose names
 *  start with the ladder's name and the step's number: bench/rank adds their
 *  modeled times.
 */
#ifndef SOFTGPU_LADDER_H
#define SOFTGPU_LADDER_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/** 1 if a step had a wrong result: the exit status. */
static int ladder_wrong;

/** Managed memory for n elements. */
template <typename T> static T *ladder_memory(size_t n)
{
    T *p = NULL;
    if (cudaMallocManaged(&p, n * sizeof(T)) != cudaSuccess) {
        fprintf(stderr, "ladder: no memory for %zu elements\n", n);
        exit(2);
    }
    return p;
}

/** Fill with a fixed sequence of integers in [0, below). */
template <typename T> static void ladder_fill(T *p, size_t n, unsigned below)
{
    unsigned long long state = 12345;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        p[i] = (T)((state >> 33) % below);
    }
}

/** Synchronize, compare with the reference, and clear for the next step. */
template <typename T>
static void ladder_check(const char *step, T *got, const T *want, size_t n)
{
    const cudaError_t error = cudaDeviceSynchronize();
    size_t wrong = 0, first = 0;
    for (size_t i = n; i-- > 0;)
        if (got[i] != want[i]) {
            wrong++;
            first = i;
        }
    if (error || wrong) {
        fprintf(stderr, "%s: %s; %zu of %zu wrong, the first at %zu\n", step,
                cudaGetErrorString(error), wrong, n, first);
        ladder_wrong = 1;
    }
    for (size_t i = 0; i < n; i++)
        got[i] = (T)0;
}

#endif
