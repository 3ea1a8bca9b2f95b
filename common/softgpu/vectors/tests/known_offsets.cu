/* SPDX-License-Identifier: MIT */
/* Addresses whose lanes differ by constants: bits of threadIdx that are set or
 * flipped, strides of 8 words, and loads between stores that they may pass, or
 * may not.  Prints a hash of each kernel's results. */
#include <stdio.h>

enum { THREADS = 64, EACH = 8, SIZE = THREADS * EACH };

/* Elements of threads whose number has bits set or flipped. */
__global__ void changed_bits(const float *a, float *c)
{
    __shared__ float s[SIZE];
    const unsigned t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < EACH; i++) s[t * EACH + i] = a[t * EACH + i];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        sum += s[t | 7] + 3 * s[t | 1] + 5 * s[t | 19] + 7 * s[t ^ 1];
        sum -= s[t ^ 5] + 3 * s[t ^ 24] + 5 * s[(t / 8 * 8) | 7];
        sum += 7 * s[(t % 8 * 4) | 3] + 9 * s[(t * 8 ^ 20) | 2];
        sum += s[63 - t] + 3 * s[(t - 1) & 63] + 5 * s[(t + 3) ^ 3];
        if (t % 3 == k) sum += 11 * s[t | 7] - s[t ^ 6];
        __syncthreads();
        s[t ^ 3] += sum;
        __syncthreads();
    }
    c[t] = sum;
}

/* 8 x 8 elements of each thread pass through shared memory, with a load of
 * global memory after each store there. */
__global__ void tile(const float *a, float *c, int n)
{
    __shared__ float s_a[EACH][THREADS], s_b[EACH][THREADS];
    const int t = threadIdx.x, row = t / 8 * EACH, column = t % 8 * EACH;
    const float *from_a = a + t * n, *from_b = a + t / 8 * n + t % 8 * EACH;
    float sum[EACH][EACH] = {};
    for (int at = 0; at < n; at += EACH) {
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            s_a[i][t] = from_a[at + i];
            s_b[t / 8][t % 8 * EACH + i] = from_b[i];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < EACH; k++)
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += s_a[k][row + i] * s_b[k][column + j];
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++) {
        float all = 0;
        for (int j = 0; j < EACH; j++) all += sum[i][j] * (j + 1);
        c[t * EACH + i] = all;
    }
}

/* Loads that must not pass the stores before them, to one array. */
__global__ void reread(float *c, int n)
{
    __shared__ float s[SIZE];
    const int t = threadIdx.x;
    for (int i = 0; i < EACH; i++) s[t * EACH + i] = c[t * EACH + i];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        float *own = c + t * n, *mine = s + (n == EACH ? t * n : 0);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            own[(i + 1) % 4] = own[i] * 0.5f + mine[i];
            mine[(i + 3) % 4] = own[(i + 2) % 4] + mine[i + 4];
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++) c[t * EACH + i] += s[t * EACH + i];
}

/* Thread numbers shifted right, which lose bits, are negative, or wrap. */
__global__ void shifted(const float *in, float *out)
{
    __shared__ float s[SIZE];
    const int t = threadIdx.x;
    for (int i = 0; i < EACH; i++) s[t * EACH + i] = in[t * EACH + i];
    __syncthreads();
    for (int i = 0; i < EACH; i++) {
        float sum = s[((t / 4 % 4 * 4 + i) * 16 + t % 4 * 4) / 4];
        sum += 3 * s[((t * 2 + i) >> 1) + i];
        sum += 5 * s[((t * 4 - 100) >> 2) + 25];
        sum += 7 * s[((t - 7u) * 4 >> 2) % THREADS];
        sum += 9 * s[(t * 6 + 2 * i) / 4];
        out[t * EACH + i] = sum;
    }
}

static void print_hash(const char *name, float *d_c)
{
    static float c[SIZE];
    unsigned hash = 2166136261u;
    cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
    for (int i = 0; i < SIZE; i++)
        hash = (hash ^ __builtin_bit_cast(unsigned, c[i])) * 16777619u;
    printf("%s: %08x %g, %s\n", name, hash, c[17],
           cudaGetErrorString(cudaDeviceSynchronize()));
}

int main()
{
    static float h[SIZE];
    float *d_a, *d_c;
    for (unsigned i = 0; i < SIZE; i++) h[i] = (float)(i * 7919 % 1009) / 256;
    cudaMalloc(&d_a, sizeof(h));
    cudaMalloc(&d_c, sizeof(h));
    cudaMemcpy(d_a, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemset(d_c, 0, sizeof(h));
    changed_bits<<<1, THREADS>>>(d_a, d_c);
    print_hash("changed bits", d_c);
    tile<<<1, THREADS>>>(d_a, d_c, EACH);
    print_hash("8 x 8", d_c);
    reread<<<1, THREADS>>>(d_c, EACH);
    print_hash("read again", d_c);
    shifted<<<1, THREADS>>>(d_a, d_c);
    print_hash("shifted", d_c);
}
