/* SPDX-License-Identifier: MIT */
/* Divisions of 32-bit integers at the ends of their range: prints a hash of
 * each kernel's quotients and remainders.  With an argument, one thread divides
 * by 0.
 */
#include <stdio.h>

enum { NUMBERS = 34 * 7, THREADS = 64, SUMS = NUMBERS * 4 };
__device__ unsigned hash[SUMS];

/* Powers of two and their neighbors, with some numbers between them. */
__host__ __device__ static unsigned number(int i)
{
    const unsigned power = i / 7 < 32 ? 1u << i / 7 : i / 7 * 123456789u;
    return power + i % 7 - 3;
}

/* A divisor for all threads. */
__global__ void by_one(int i)
{
    const unsigned d = number(i);
    if (!d) return;
    for (int x = threadIdx.x; x < NUMBERS; x += THREADS) {
        const unsigned n = number(x);
        hash[x * 4] = hash[x * 4] * 31 + n / d;
        hash[x * 4 + 1] = hash[x * 4 + 1] * 31 + n % d;
        if (n == 0x80000000 && d == 0xffffffff) continue;
        hash[x * 4 + 2] = hash[x * 4 + 2] * 31 + (int)n / (int)d;
        hash[x * 4 + 3] = hash[x * 4 + 3] * 31 + (int)n % (int)d;
    }
}

/* A divisor for each thread; some divide by nothing. */
__global__ void by_each(unsigned n, unsigned zeros)
{
    for (int x = threadIdx.x; x < NUMBERS; x += THREADS) {
        const unsigned d = number(x);
        if (d == 0 && !zeros) continue;
        hash[x * 4] = hash[x * 4] * 31 + n / d;
        hash[x * 4 + 1] = hash[x * 4 + 1] * 31 + n % d;
        if (n == 0x80000000 && d == 0xffffffff) continue;
        hash[x * 4 + 2] = hash[x * 4 + 2] * 31 + (int)n / (int)d;
        hash[x * 4 + 3] = hash[x * 4 + 3] * 31 + (int)n % (int)d;
    }
}

static void print_hash(const char *kernel)
{
    unsigned values[SUMS], all = 0;
    cudaMemcpyFromSymbol(values, hash, sizeof values);
    for (int i = 0; i < SUMS; i++) all = all * 31 + values[i];
    printf("%s %08x\n", kernel, all);
}

int main(int count, char **)
{
    for (int i = 0; i < NUMBERS; i++) by_one<<<1, THREADS>>>(i);
    print_hash("by one");
    for (int i = 0; i < NUMBERS; i++) by_each<<<1, THREADS>>>(number(i), 0);
    print_hash("by each");
    by_each<<<1, THREADS>>>(5, count > 1);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
