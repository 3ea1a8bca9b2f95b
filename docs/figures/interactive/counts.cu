/* SPDX-License-Identifier: MIT */
/** @file
 *  Small kernels whose counts the interactive figures show: build with
 *  `softcc --profile`, run with SOFTGPU_JSON=FILE.  docs/tests/figures.sh
 *  compares that file with counts.js.
 *
 *  counts         all kernels but those of the pipeline
 *  counts 4       the pipeline: 8 MiB in four chunks, a stream each
 *  counts 4 1     the same in one stream
 */
#include <stdio.h>
#include <stdlib.h>

/** A warp loads floats that are `STRIDE` apart, from `OFFSET` on. */
#define COALESCING(STRIDE, OFFSET)                                             \
    __global__ void stride_##STRIDE##_##OFFSET(const float *in, float *out)    \
    {                                                                          \
        out[threadIdx.x] = in[OFFSET + threadIdx.x * STRIDE];                  \
    }
/* Coalesced, misaligned, and strided: what the sliders of the figure choose. */
COALESCING(1, 0)
COALESCING(1, 3)
COALESCING(2, 0)
COALESCING(3, 1)
COALESCING(7, 0)
COALESCING(8, 5)
COALESCING(32, 0)

/** A warp stores the first column of a tile with padded rows. */
#define BANKS(PADDING)                                                         \
    __global__ void padding_##PADDING(float *out)                              \
    {                                                                          \
        __shared__ float s_tile[32 * (32 + PADDING)];                          \
        s_tile[threadIdx.x * (32 + PADDING)] = 1.0f;                           \
        __syncthreads();                                                       \
        if (threadIdx.x == 0) out[0] = s_tile[0];                              \
    }
BANKS(0)
BANKS(1)
BANKS(2)
BANKS(3)
BANKS(4)
BANKS(6)
BANKS(8)

/** A block of 256 adds its values: threads 0, 2, 4, ... of the round add. */
__global__ void reduce_interleaved(const float *in, float *out)
{
    __shared__ float s_value[256];
    unsigned t = threadIdx.x;

    s_value[t] = in[t];
    for (unsigned stride = 1; stride < 256; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0) s_value[t] += s_value[t + stride];
    }
    if (t == 0) out[0] = s_value[0];
}

/** The same; the first half of the threads adds. */
__global__ void reduce_sequential(const float *in, float *out)
{
    __shared__ float s_value[256];
    unsigned t = threadIdx.x;

    s_value[t] = in[t];
    for (unsigned stride = 128; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) s_value[t] += s_value[t + stride];
    }
    if (t == 0) out[0] = s_value[0];
}

/** A block of 16 scans its values as Hillis and Steele do. */
__global__ void scan_hillis_steele(const float *in, float *out)
{
    __shared__ float s_sum[2][16];
    unsigned t = threadIdx.x, now = 0;

    s_sum[0][t] = in[t];
    for (unsigned distance = 1; distance < 16; distance *= 2) {
        __syncthreads();
        float value = s_sum[now][t];
        if (t >= distance) value += s_sum[now][t - distance];
        now ^= 1;
        s_sum[now][t] = value;
    }
    out[t] = s_sum[now][t];
}

/** A block of 8 scans 16 values as Blelloch does, exclusively. */
__global__ void scan_blelloch(const float *in, float *out)
{
    __shared__ float s_sum[16];
    unsigned t = threadIdx.x, distance = 1;

    s_sum[t] = in[t];
    s_sum[t + 8] = in[t + 8];
    for (; distance < 16; distance *= 2) {
        __syncthreads();
        unsigned to = (t + 1) * 2 * distance - 1;
        if (to < 16) s_sum[to] += s_sum[to - distance];
    }
    __syncthreads();
    if (t == 0) s_sum[15] = 0.0f;
    for (distance = 8; distance > 0; distance /= 2) {
        __syncthreads();
        unsigned to = (t + 1) * 2 * distance - 1;
        if (to < 16) {
            float left = s_sum[to - distance];
            s_sum[to - distance] = s_sum[to];
            s_sum[to] += left;
        }
    }
    __syncthreads();
    out[t] = s_sum[t];
    out[t + 8] = s_sum[t + 8];
}

enum { N = 64 }; /* side of the matrices */

/** C = A * B in tiles of a side; a block owns a tile of C. */
#define GEMM(SIDE)                                                             \
    __global__ void gemm_##SIDE(const float *a, const float *b, float *c)      \
    {                                                                          \
        __shared__ float s_a[SIDE][SIDE], s_b[SIDE][SIDE];                     \
        unsigned x = threadIdx.x, y = threadIdx.y;                             \
        unsigned row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;     \
        float sum = 0.0f;                                                      \
        for (unsigned k = 0; k < N; k += SIDE) {                               \
            s_a[y][x] = a[row * N + k + x];                                    \
            s_b[y][x] = b[(k + y) * N + col];                                  \
            __syncthreads();                                                   \
            for (unsigned i = 0; i < SIDE; i++) sum += s_a[y][i] * s_b[i][x];  \
            __syncthreads();                                                   \
        }                                                                      \
        c[row * N + col] = sum;                                                \
    }
/* The sides of tiles that the figure offers. */
GEMM(4)
GEMM(8)
GEMM(16)
GEMM(32)

/** The pipeline's work: some arithmetic for each element. */
__global__ void work(float *data, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) return;
    float x = data[i];
    for (int k = 0; k < 200; k++) x = x * 0.5f + 1.0f;
    data[i] = x;
}

static void count(float *d_in, float *d_out)
{
    stride_1_0<<<1, 32>>>(d_in, d_out);
    stride_1_3<<<1, 32>>>(d_in, d_out);
    stride_2_0<<<1, 32>>>(d_in, d_out);
    stride_3_1<<<1, 32>>>(d_in, d_out);
    stride_7_0<<<1, 32>>>(d_in, d_out);
    stride_8_5<<<1, 32>>>(d_in, d_out);
    stride_32_0<<<1, 32>>>(d_in, d_out);
    padding_0<<<1, 32>>>(d_out);
    padding_1<<<1, 32>>>(d_out);
    padding_2<<<1, 32>>>(d_out);
    padding_3<<<1, 32>>>(d_out);
    padding_4<<<1, 32>>>(d_out);
    padding_6<<<1, 32>>>(d_out);
    padding_8<<<1, 32>>>(d_out);
    reduce_interleaved<<<1, 256>>>(d_in, d_out);
    reduce_sequential<<<1, 256>>>(d_in, d_out);
    scan_hillis_steele<<<1, 16>>>(d_in, d_out);
    scan_blelloch<<<1, 8>>>(d_in, d_out);
    gemm_4<<<dim3(N / 4, N / 4), dim3(4, 4)>>>(d_in, d_in, d_out);
    gemm_8<<<dim3(N / 8, N / 8), dim3(8, 8)>>>(d_in, d_in, d_out);
    gemm_16<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(d_in, d_in, d_out);
    gemm_32<<<dim3(N / 32, N / 32), dim3(32, 32)>>>(d_in, d_in, d_out);
}

/** Copy, work, copy back: each chunk in its stream, or all in one. */
static void pipeline(float *h_data, float *d_data, size_t n, int chunks,
                     int streams)
{
    cudaStream_t stream[16];
    size_t part = n / chunks;

    for (int i = 0; i < streams; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < chunks; i++) {
        cudaStream_t s = stream[i % streams];
        float *h = h_data + i * part, *d = d_data + i * part;
        cudaMemcpyAsync(d, h, part * 4, cudaMemcpyHostToDevice, s);
        work<<<(unsigned)(part / 256), 256, 0, s>>>(d, part);
        cudaMemcpyAsync(h, d, part * 4, cudaMemcpyDeviceToHost, s);
    }
    cudaDeviceSynchronize();
}

int main(int count_of_words, char **words)
{
    const size_t n = 2 << 20;
    float *h_data = NULL, *d_data = NULL;

    if (cudaMallocHost(&h_data, 4 * n) || cudaMalloc(&d_data, 4 * n)) return 1;
    for (size_t i = 0; i < n; i++) h_data[i] = 1.0f;
    if (count_of_words == 1) {
        cudaMemset(d_data, 0, 4 * n);
        count(d_data, d_data + n / 2);
    } else {
        int chunks = atoi(words[1]);
        pipeline(h_data, d_data, n, chunks, count_of_words > 2 ? 1 : chunks);
    }
    return cudaDeviceSynchronize();
}
