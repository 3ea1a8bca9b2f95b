/* SPDX-License-Identifier: MIT */
/* A function with a rounding mode does not change how the operations around it
 * round: a sum of such results is that of the same values from memory. */
#include "check.h"

enum { COUNT = 256, TERMS = 6 };

__device__ void convert(long long x, double *terms)
{
    terms[0] = __ll2double_rd(x);
    terms[1] = __ll2double_ru(x);
    terms[2] = __ull2double_rz(x);
    terms[3] = __dadd_ru(terms[0], 0.1);
    terms[4] = __dmul_rd(terms[1], 0.3);
    terms[5] = __ddiv_rz(terms[2], 7.0);
}

/* A thread adds its terms as they are rounded. */
__global__ void sum_at_once(const long long *in, double *out)
{
    const long long x = in[threadIdx.x];
    double sum = __ll2double_rd(x);
    sum += __ll2double_ru(x);
    sum += __ull2double_rz(x);
    sum += __dadd_ru(__ll2double_rd(x), 0.1);
    sum += __dmul_rd(__ll2double_ru(x), 0.3);
    sum += __ddiv_rz(__ull2double_rz(x), 7.0);
    out[threadIdx.x] = sum;
}

/* A thread rounds all terms, stores them, and adds them then. */
__global__ void sum_stored(const long long *in, double *out)
{
    volatile double terms[TERMS];
    double converted[TERMS], sum = 0;
    convert(in[threadIdx.x], converted);
    for (int i = 0; i < TERMS; i++)
        terms[i] = converted[i];
    for (int i = 0; i < TERMS; i++)
        sum += terms[i];
    out[threadIdx.x] = sum;
}

int main()
{
    long long *in, x = 88172645463325252;
    double *at_once, *stored;
    int different = 0;
    OK(cudaMallocManaged(&in, COUNT * sizeof *in));
    OK(cudaMallocManaged(&at_once, COUNT * sizeof *at_once));
    OK(cudaMallocManaged(&stored, COUNT * sizeof *stored));
    for (int i = 0; i < COUNT; i++) {
        x ^= (long long)((unsigned long long)x << 13);
        x ^= (long long)((unsigned long long)x >> 7);
        x ^= (long long)((unsigned long long)x << 17);
        in[i] = x >> (i % 11);
    }
    sum_at_once<<<1, COUNT>>>(in, at_once);
    sum_stored<<<1, COUNT>>>(in, stored);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++)
        different += at_once[i] != stored[i];
    printf("%d of %d sums differ\n", different, COUNT);
    return 0;
}
