/* SPDX-License-Identifier: MIT */
/* Sums of float4 that the vector engine keeps in the order of memory, and sums
 * that look like it: prints a hash of each kernel's results. */
#include <stdio.h>

enum { DEPTH = 6, ROUNDS = 5, WIDTH = 132, MOST = 1 << 15 };
__device__ float in[MOST];

/* Fill shared memory with other values in each round. */
template <int ROWS>
__device__ static void fill(float (*s)[WIDTH], int round)
{
    for (int i = threadIdx.x; i < ROWS * WIDTH; i += blockDim.x)
        (&s[0][0])[i] = in[(round * 977 + blockIdx.x * 31 + i) % MOST];
    __syncthreads();
}

/* Store all sums of a thread, as one column. */
template <int N, int M>
__device__ static void store(float *c, const float (&sum)[N][M])
{
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int j = 0; j < M; j++) c[i * M + j] = sum[i][j];
}

/* How the threads of a tile share the float4 of rows and columns. */
struct rows_of_16 {
    __device__ static int x(int t) { return t % 16; }
    __device__ static int y(int t) { return t / 16; }
};
struct squares { /* a warp of 8 x 4, as in lab 08 */
    __device__ static int x(int t)
    {
        return (t & 1) | (t >> 1 & 2) | t / 32 % 2 * 4;
    }
    __device__ static int y(int t)
    {
        return (t >> 1 & 1) | (t >> 2 & 6) | t / 64 * 8;
    }
};
struct columns { /* neighbors have float4 that are not neighbors */
    __device__ static int x(int t) { return t / 8; }
    __device__ static int y(int t) { return t % 8; }
};
struct pairs { /* neighbors two by two, as in a tile of 8 columns */
    __device__ static int x(int t) { return t % 2 + t / 64 * 2; }
    __device__ static int y(int t) { return t / 2 % 32; }
};
struct backward {
    __device__ static int x(int t) { return 15 - t % 16; }
    __device__ static int y(int t) { return t / 16; }
};

/* A register tile of N x M float4 a thread. */
template <class LAYOUT, int N, int M>
__global__ void outer_product(float *c)
{
    __shared__ __align__(16) float s_a[DEPTH][WIDTH], s_b[DEPTH][WIDTH];
    const int t = threadIdx.x, x = LAYOUT::x(t) * 4, y = LAYOUT::y(t) * 4;
    float sum[N * 4][M * 4] = {};
    for (int round = 0; round < ROUNDS; round++) {
        fill<DEPTH>(s_a, round);
        fill<DEPTH>(s_b, round + 7);
        for (int d = 0; d < DEPTH; d++) {
            float a[N * 4], b[M * 4];
#pragma unroll
            for (int i = 0; i < N * 4; i++)
                a[i] = s_a[d][y + i / 4 * 32 + i % 4];
#pragma unroll
            for (int j = 0; j < M; j++)
                *(float4 *)&b[4 * j] = *(float4 *)&s_b[d][x + j * 64];
#pragma unroll
            for (int i = 0; i < N * 4; i++)
#pragma unroll
                for (int j = 0; j < M * 4; j++) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    c += (blockIdx.x * blockDim.x + t) * N * M * 16;
    if (t % 5 != 3) store(c, sum); /* by some threads */
}

/* Sums to which two loops add, whose threads share float4 in other ways. */
__global__ void two_ways(float *c)
{
    __shared__ __align__(16) float s_a[DEPTH][WIDTH], s_b[DEPTH][WIDTH];
    const int t = threadIdx.x;
    float sum[4][4] = {};
    for (int round = 0; round < ROUNDS; round++) {
        fill<DEPTH>(s_a, round);
        fill<DEPTH>(s_b, round + 3);
        for (int way = 0; way < 2; way++) {
            const int y = 4 * (way ? pairs::y(t) : squares::y(t) % 32),
                      x = 4 * (way ? pairs::x(t) : squares::x(t));
            for (int d = 0; d < DEPTH; d++)
#pragma unroll
                for (int i = 0; i < 4; i++)
#pragma unroll
                    for (int j = 0; j < 4; j++)
                        sum[i][j] += s_a[d][y + i] * s_b[d][x + j];
        }
        for (int d = 0; d < DEPTH; d++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += s_a[d][pairs::y(t) * 4 + i]
                                 * s_b[d][pairs::x(t) * 4 + j];
        for (int d = 0; d < DEPTH; d++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += s_a[d][squares::y(t) * 4 + i]
                                 * s_b[d][squares::x(t) * 4 + j];
        __syncthreads();
    }
    store(&c[t * 16], sum);
}

/* Sums in another order, products of two words, and sums of both orders. */
__global__ void other_sums(float *c)
{
    __shared__ __align__(16) float s[DEPTH][WIDTH];
    const int t = threadIdx.x, x = t % 16 * 4;
    float turned[4] = {}, twice[4] = {}, minus[4] = {}, crossed[4] = {};
    for (int round = 0; round < ROUNDS; round++) {
        fill<DEPTH>(s, round);
        for (int d = 0; d < DEPTH; d++) {
            const float4 q = *(float4 *)&s[d][x], p = *(float4 *)&s[d][x + 64];
            const float f = s[d][t / 16], g = s[d][t / 16 + 9];
            turned[0] += f * q.w, turned[1] += f * q.z;
            turned[2] += f * q.y, turned[3] += f * q.x;
            twice[0] += q.x * p.x, twice[1] += q.y * p.y;
            twice[2] += q.z * p.z, twice[3] += q.w * p.w;
            minus[0] = f - (minus[0] + p.x) * 0.5f;
            minus[1] = f - (minus[1] + p.y) * 0.5f;
            minus[2] = f - (minus[2] + p.z) * 0.5f;
            minus[3] = f - (minus[3] + p.w) * 0.5f;
            crossed[0] += f * q.x, crossed[1] += f * q.y;
            crossed[2] += f * q.z, crossed[3] += f * q.w;
            crossed[0] += g * p.w, crossed[1] += g * p.z;
            crossed[2] += g * p.y, crossed[3] += g * p.x;
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        c[t * 32 + i] = turned[i];
        c[t * 32 + i + 12] = twice[i];
        c[t * 32 + i + 16] = minus[i];
        c[t * 32 + i + 20] = crossed[i];
    }
}

/* Words and sums that are also used alone in the loop, with other factors, or
 * with other signs. */
__global__ void used_alone(float *c)
{
    __shared__ __align__(16) float s[DEPTH][WIDTH];
    const int t = threadIdx.x, x = t % 16 * 4;
    float alone = t, product = 1, sum[4] = {1, 2, 3, 4}, other[4] = {},
          mixed[4] = {}, signs[4] = {};
    for (int round = 0; round < ROUNDS; round++) {
        fill<DEPTH>(s, round);
        for (int d = 0; d < DEPTH; d++) {
            const float4 q = *(float4 *)&s[d][x], p = *(float4 *)&s[d][x + 64];
            const float f = s[d][t / 16], g = s[d][t / 16 + 9];
            mixed[0] += f * q.x, mixed[1] += g * q.y;
            mixed[2] += f * q.z, mixed[3] += g * q.w;
            signs[0] += f * q.x, signs[1] -= f * q.y;
            signs[2] += f * q.z, signs[3] -= f * q.w;
            alone += q.y * f;
            product = product * 0.25f + q.x * q.w;
            sum[0] += q.x * f, sum[1] += q.y * f;
            sum[2] += q.z * f, sum[3] += q.w * f;
            other[0] += p.x * f, other[1] += p.y * f;
            other[2] += p.z * f, other[3] += p.w * f;
            if (round == 3 && d == 2) c[MOST / 2 + t] = other[2];
        }
        __syncthreads();
        sum[0] += sum[3];
    }
    for (int i = 0; i < 4; i++) {
        c[t * 16 + i] = sum[i] + other[i];
        c[t * 16 + 6 + i] = mixed[i];
        c[t * 16 + 10 + i] = signs[i];
    }
    c[t * 16 + 4] = alone;
    c[t * 16 + 5] = product;
}

/* Factors that are overwritten before their products are needed: those of
 * each thread, which no other one reads. */
__device__ static void add_terms(float (&sum)[8][8], float (*s)[WIDTH], int d)
{
    const int t = threadIdx.x;
    float a[8], b[8];
#pragma unroll
    for (int i = 0; i < 8; i++) a[i] = s[i][t];
#pragma unroll
    for (int j = 0; j < 8; j++) b[j] = s[8 + j][t];
    s[d][t] = a[d + 1] - b[0];
    s[8 + 2 * d][t] = a[0] * 0.5f;
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sum[i][j] += a[i] * b[j];
}

/* So many sums that they are taken in groups. */
__global__ void overwritten(float *c)
{
    __shared__ __align__(16) float s[16][WIDTH];
    float sum[8][8] = {};
    for (int round = 0; round < ROUNDS; round++) {
        fill<16>(s, round);
        add_terms(sum, s, 0);
        add_terms(sum, s, 1);
        add_terms(sum, s, 3);
        __syncthreads();
    }
    store(&c[threadIdx.x * 64], sum);
}

/* Sums that are subtracted, scaled or only added to between multiply-adds, or
 * that are factors of others. */
template <bool ARE_FACTORS> __global__ void other_steps(float *c, int rounds)
{
    const int t = threadIdx.x;
    float sum[16] = {}, factor[16];
    for (int round = 0; round < rounds; round++) {
        const float *from = &in[round * 256];
        const float a0 = from[t / 4 * 4], a1 = from[128 + t % 4], b = from[7];
#pragma unroll
        for (int i = 0; i < 16; i++) factor[i] = from[i];
#pragma unroll
        for (int i = 0; i < 16; i++) sum[i] += a0 * factor[i];
#pragma unroll
        for (int i = 0; i < 16; i++) sum[i] += a1 * factor[15 - i];
#pragma unroll
        for (int i = 0; i < 16; i++)
            sum[i] = i % 3 == 0   ? factor[i] * b - sum[i]
                     : i % 3 == 1 ? sum[i] * 0.25f + b
                                  : sum[i] + b;
#pragma unroll
        for (int i = 0; i < 16; i++) sum[i] += a0 * factor[i];
#pragma unroll
        for (int i = 0; ARE_FACTORS && i < 16; i++)
            sum[i] += sum[(i + 1) % 16] * a1;
    }
#pragma unroll
    for (int i = 0; i < 16; i++) c[t * 16 + i] = sum[i];
}

/* Sums that begin with what is in memory, in rows of the warp that exchange
 * values. */
__global__ void of_warps(float *c)
{
    const int t = threadIdx.x;
    float sum[4], last = 0;
    for (int i = 0; i < 4; i++) sum[i] = in[t * 4 + i];
    for (int k = 0; k < 40; k++) {
        const float4 q = *(float4 *)&in[k * 512 + t * 4];
        const float f = __shfl_xor_sync(~0u, q.x, k % 32);
        sum[0] += f * q.x, sum[1] += f * q.y;
        sum[2] += f * q.z, sum[3] += f * q.w;
        last = f;
    }
    *(float4 *)&c[t * 4] = make_float4(sum[0], sum[1], sum[2], sum[3] + last);
}

static void print_hash(const char *name, float *d_c)
{
    static float c[MOST];
    unsigned hash = 2166136261u;
    cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
    for (int i = 0; i < MOST; i++)
        hash = (hash ^ __builtin_bit_cast(unsigned, c[i])) * 16777619u;
    printf("%s: %08x %g, %s\n", name, hash, c[17],
           cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemset(d_c, 0, sizeof(c));
}

int main()
{
    static float h[MOST];
    float *d_c;
    for (int i = 0; i < MOST; i++) h[i] = (float)(i * 7919 % 1009 - 500) / 256;
    cudaMemcpyToSymbol(in, h, sizeof(h));
    cudaMalloc(&d_c, sizeof(h));
    cudaMemset(d_c, 0, sizeof(h));
    outer_product<rows_of_16, 2, 2><<<2, 128>>>(d_c);
    print_hash("rows of 16", d_c);
    outer_product<squares, 1, 2><<<2, 128>>>(d_c);
    print_hash("squares", d_c);
    outer_product<squares, 2, 1><<<1, 256>>>(d_c);
    print_hash("squares, two rows", d_c);
    outer_product<columns, 1, 1><<<3, 128>>>(d_c);
    print_hash("columns", d_c);
    outer_product<pairs, 1, 1><<<2, 128>>>(d_c);
    print_hash("pairs", d_c);
    two_ways<<<1, 128>>>(d_c);
    print_hash("two ways", d_c);
    outer_product<backward, 2, 1><<<2, 128>>>(d_c);
    print_hash("backward", d_c);
    other_sums<<<1, 256>>>(d_c);
    print_hash("other sums", d_c);
    used_alone<<<1, 256>>>(d_c);
    print_hash("used alone", d_c);
    overwritten<<<1, 128>>>(d_c);
    print_hash("overwritten", d_c);
    other_steps<false><<<1, 32>>>(d_c, 5);
    print_hash("other steps", d_c);
    other_steps<true><<<1, 32>>>(d_c, 5);
    print_hash("factors", d_c);
    of_warps<<<1, 128>>>(d_c);
    print_hash("of warps", d_c);
}
