/* SPDX-License-Identifier: MIT */
/* Many sums a thread, in blocks that run by phases, accesses of 16 bytes, and a
 * large parameter: prints a hash of each kernel's results. */
#include <stdio.h>

enum { N = 72, SIZE = N * N };
__device__ float a[SIZE], b[SIZE];
__device__ unsigned rows_of[N];

/* Four elements of a row; 0 outside the matrix. */
__device__ static float4 load_four(const float *from, int row, int column)
{
    if (row >= N || column >= N) return make_float4(0, 0, 0, 0);
    return *(const float4 *)&from[row * N + column];
}

/* A tile of 64 x 64 by 64 threads with R x C sums each: A is transposed by the
 * stores to shared memory, as in lab 08. */
template <int R, int C>
__global__ void tiles(float *c)
{
    enum { DEPTH = 8, ROWS = 8 * R, COLUMNS = 8 * C, PAD = 4 };
    __shared__ __align__(16) float s_a[DEPTH][ROWS + PAD], s_b[DEPTH][COLUMNS];
    const int t = threadIdx.x, y = t / 8 * R, x = t % 8 * C;
    const int row = blockIdx.y * ROWS, column = blockIdx.x * COLUMNS;
    float sum[R][C] = {};
    for (int k = 0; k < N; k += DEPTH) {
        for (int i = t; i < ROWS * 2; i += 64) {
            const float4 q = load_four(a, row + i / 2, k + i % 2 * 4);
            s_a[i % 2 * 4][i / 2] = q.x;
            s_a[i % 2 * 4 + 1][i / 2] = q.y;
            s_a[i % 2 * 4 + 2][i / 2] = q.z;
            s_a[i % 2 * 4 + 3][i / 2] = q.w;
        }
        for (int i = t; i < DEPTH * COLUMNS / 4; i += 64)
            *(float4 *)&s_b[i / (COLUMNS / 4)][i % (COLUMNS / 4) * 4] =
                load_four(b, k + i / (COLUMNS / 4),
                          column + i % (COLUMNS / 4) * 4);
        __syncthreads();
        for (int d = 0; d < DEPTH; d++)
#pragma unroll
            for (int i = 0; i < R; i++)
#pragma unroll
                for (int j = 0; j < C; j++)
                    sum[i][j] += s_a[d][y + i] * s_b[d][x + j];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < C; j++)
            if (row + y + i < N && column + x + j < N)
                c[(row + y + i) * N + column + x + j] = sum[i][j];
}

/* Rows that a table names, four elements a thread, under a condition that
 * holds for all threads, for some, or for none. */
__global__ void gathered(float *c)
{
    __shared__ float s[4][128 + 4];
    const int t = threadIdx.x;
    float sum[4] = {};
    for (int k = 0; k < N; k += 8) {
        const unsigned row = rows_of[(t / 2 + k) % N];
        float4 q = make_float4(1, 2, 3, 4);
        if (k + t % 2 * 4 + (t > 40) * k / 2 < 40)
            q = *(const float4 *)&a[row * N + k + t % 2 * 4];
        s[0][t] = q.x;
        s[1][t] = q.y;
        s[2][t] = q.z;
        s[3][t] = q.w;
        __syncthreads();
        for (int i = 0; i < 4; i++) sum[i] += s[i][127 - t] * q.x;
        __syncthreads();
    }
    *(float4 *)&c[t * 4] = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

/* Four elements a thread, stored where a table names, by all threads of a row
 * or by some. */
__global__ void stored(float *c)
{
    const int t = threadIdx.x;
    for (int k = 0; k < N / 4; k += 2) {
        const float x = a[t * 5 + k], y = b[t * 3 + k];
        float4 *const to = (float4 *)&c[rows_of[t % N] * N + (k + t / N) * 4];
        if (t < N * 2 - 20 - k) *to = make_float4(x, y, x + y, x - y);
    }
}

/* Sums that trade places, and one that is read after its next value is known:
 * they may not share their place. */
__global__ void traded(float *c)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float one = 1, two = 2, old = 0;
    for (int k = 0; k < 9; k++) {
        s[t] = one + two;
        __syncthreads();
        const float next = one * 0.5f + s[63 - t];
        __syncthreads();
        old += one; /* after `next` */
        one = two;
        two = next;
        s[t] = old;
        __syncthreads();
        old += s[t ^ 1];
        __syncthreads();
    }
    for (int k = 0; k < 3; k++) {
        s[t] = old;
        __syncthreads();
        old = old * 0.25f + s[(t + 1) % 64];
        __syncthreads();
    }
    c[t] = one + two * 3 + old;
}

/* A large struct of which a variable selects a part. */
struct parts {
    struct {
        const float *from;
        int begin, end;
    } part[40];
};

/* A block uses the part of its number, of a large parameter. */
__global__ void selected(const struct parts p, float *c)
{
    const auto &part = p.part[blockIdx.x];
    float sum = 0;
    for (int i = part.begin + threadIdx.x; i < part.end; i += blockDim.x)
        sum += part.from[i] * i;
    c[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* A value that is stored before its successor is, to the place beside it. */
__global__ void successors(float *c)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float one = t;
    s[t] = t * 3;
    __syncthreads();
    for (int k = 0; k < 5; k++) {
        const float x = s[63 - t];
        c[k * 128 + 2 * t] = one;
        const float next = x * 2;
        c[k * 128 + 2 * t + 1] = next;
        one = next;
        __syncthreads();
        s[t] = x + 1;
        __syncthreads();
    }
}

static void print_hash(const char *name, const float *d_c)
{
    static float c[SIZE];
    unsigned hash = 2166136261u;
    cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
    for (int i = 0; i < SIZE; i++)
        hash = (hash ^ __builtin_bit_cast(unsigned, c[i])) * 16777619u;
    printf("%s: %08x %g, %s\n", name, hash, c[17],
           cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemset((void *)d_c, 0, sizeof(c));
}

int main()
{
    static float h[SIZE];
    unsigned rows[N];
    float *d_c;
    for (unsigned i = 0; i < SIZE; i++) h[i] = (float)(i * 7919 % 1009) / 256;
    for (unsigned i = 0; i < N; i++) rows[i] = i * 29 % N;
    cudaMemcpyToSymbol(a, h, sizeof(h));
    cudaMemcpyToSymbol(b, h, sizeof(h));
    cudaMemcpyToSymbol(rows_of, rows, sizeof(rows));
    cudaMalloc(&d_c, sizeof(h));
    cudaMemset(d_c, 0, sizeof(h));
    tiles<4, 4><<<dim3(3, 3), 64>>>(d_c);
    print_hash("4 x 4", d_c);
    tiles<8, 8><<<dim3(2, 2), 64>>>(d_c);
    print_hash("8 x 8", d_c);
    tiles<8, 16><<<dim3(1, 2), 64>>>(d_c);
    print_hash("8 x 16", d_c);
    gathered<<<1, 128>>>(d_c);
    print_hash("gathered", d_c);
    stored<<<1, 128>>>(d_c);
    print_hash("stored", d_c);
    traded<<<1, 64>>>(d_c);
    print_hash("traded", d_c);
    successors<<<1, 64>>>(d_c);
    print_hash("successors", d_c);
    struct parts p;
    void *d_a;
    cudaGetSymbolAddress(&d_a, a);
    for (int i = 0; i < 40; i++)
        p.part[i] = {(const float *)d_a, i * 7, i * 100 + 300};
    selected<<<40, 64>>>(p, d_c);
    print_hash("selected", d_c);
}
