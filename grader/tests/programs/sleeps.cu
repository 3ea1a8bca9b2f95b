/* SPDX-License-Identifier: MIT */
/* Lab 01's function, as slow as the program's name says: sleeps_20 sleeps 20 ms
 * in each call, sleeps_20_40 20 and 40 ms by turns, sleeps_20+5 20, 25, 30, ...
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "vector_add.h"

/** Thread i adds element i.  One block of n threads. */
static __global__ void add(const float *a, const float *b, float *c)
{
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

static long milliseconds(unsigned call)
{
    char path[4096], separator = 0;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    long first = 0, second = 0;

    path[length < 0 ? 0 : length] = 0;
    if (!strrchr(path, '/')
        || sscanf(strrchr(path, '/'), "/sleeps_%ld%c%ld", &first, &separator,
                  &second) < 1)
        return 0;
    if (separator == '+') return first + second * call;
    return separator == '_' && call % 2 ? second : first;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static unsigned calls;
    const long time = milliseconds(calls++);
    const struct timespec pause = {time / 1000, time % 1000 * 1000000};
    float *d_a, *d_b, *d_c;

    nanosleep(&pause, NULL);
    cudaMalloc((void **)&d_a, n * sizeof *a);
    cudaMalloc((void **)&d_b, n * sizeof *b);
    cudaMalloc((void **)&d_c, n * sizeof *c);
    cudaMemcpy(d_a, a, n * sizeof *a, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, n * sizeof *b, cudaMemcpyHostToDevice);
    add<<<1, (unsigned)n>>>(d_a, d_b, d_c);
    cudaMemcpy(c, d_c, n * sizeof *c, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return cudaGetLastError();
}
