/* SPDX-License-Identifier: MIT */
/* Elements of one and two bytes that a table names, read by some of the threads
 * of a warp: the last ones of their allocations too. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

enum { N = 1003, STEPS = 24 };

/** Each thread adds elements that the table names, unless they are of another
 *  thread's part; an odd step is left out by a third of the threads. */
template <class T>
__global__ void by_table(const T *in, const unsigned short *table, float *out,
                         int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (t >= n)
        return;
    for (int step = 0; step < STEPS; step++) {
        const int at = table[(t * 7 + step * 31) % n];
        if (step % 2 == 0 || t % 3)
            sum += static_cast<float>(in[at]) * static_cast<float>(step + 1);
    }
    out[t] = sum;
}

/** The same of two elements at a time, whose sum is rounded. */
__global__ void pairs(const __half2 *in, const unsigned char *table, float *out,
                      int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 sum = __float2half2_rn(0);
    for (int step = 0; t < n && step < STEPS; step++)
        if ((t + step) % 4)
            sum = __hadd2(sum, in[table[(t + step * 5) % n] % n]);
    if (t < n)
        out[t] = __low2float(sum) * 4096 + __high2float(sum);
}

template <class T> static void compare(const char *name, int first)
{
    T *in;
    unsigned short *table;
    OK(cudaMallocManaged(&in, N * sizeof(T)));
    OK(cudaMallocManaged(&table, N * sizeof *table));
    float *out = managed<float>(N);
    double total = 0;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        in[i] = static_cast<T>(static_cast<float>(first + i % 101));
        table[i] = static_cast<unsigned short>(N - 1 - i * 17 % N);
    }
    by_table<<<(N + 127) / 128, 128>>>(in, table, out, N);
    RUN();
    for (int t = 0; t < N; t++) {
        float sum = 0;
        for (int step = 0; step < STEPS; step++)
            if (step % 2 == 0 || t % 3)
                sum += static_cast<float>(in[table[(t * 7 + step * 31) % N]])
                       * static_cast<float>(step + 1);
        wrong += sum != out[t];
        total += sum;
    }
    EXPECT(wrong == 0);
    printf("%s %.0f\n", name, total);
    OK(cudaFree(in));
    OK(cudaFree(table));
    OK(cudaFree(out));
}

int main()
{
    enum { PAIRS = 129 };
    compare<unsigned char>("unsigned char", 150);
    compare<signed char>("signed char", -128);
    compare<short>("short", -50);
    compare<unsigned short>("unsigned short", 40000);
    compare<__half>("half", -50);
    compare<__nv_bfloat16>("bfloat16", -50);

    __half2 *in;
    unsigned char *table;
    OK(cudaMallocManaged(&in, PAIRS * sizeof *in));
    OK(cudaMallocManaged(&table, PAIRS));
    float *out = managed<float>(PAIRS);
    double total = 0;
    for (int i = 0; i < PAIRS; i++) {
        in[i] = __floats2half2_rn(static_cast<float>(i % 7), -1);
        table[i] = static_cast<unsigned char>(255 - i);
    }
    pairs<<<2, 96>>>(in, table, out, PAIRS);
    RUN();
    for (int i = 0; i < PAIRS; i++)
        total += out[i];
    printf("half2 %.0f\n", total);
    OK(cudaFree(in));
    OK(cudaFree(table));
    OK(cudaFree(out));
    return 0;
}
