/* SPDX-License-Identifier: MIT */
/* Histogram of bytes in four steps: 256 bins, uniform input. */
#include "ladder.h"

enum { N = 1 << 20, BINS = 256, BLOCK = 256, COPIES = BLOCK / 32,
       BLOCKS = 4 /* 256 KB each: the merge costs little */ };
typedef unsigned char byte;

/* One atomic per byte on a single histogram in global memory. */
__global__ void histogram_1_global(const byte *in, unsigned *out, int n)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += gridDim.x * BLOCK)
        atomicAdd(&out[in[i]], 1u);
}

/* One histogram per block in shared memory, added to the global one. */
__global__ void histogram_2_shared(const byte *in, unsigned *out, int n)
{
    __shared__ unsigned s_bins[BINS];
    s_bins[threadIdx.x] = 0;
    __syncthreads(); /* all bins are 0 */
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += gridDim.x * BLOCK)
        atomicAdd(&s_bins[in[i]], 1u);
    __syncthreads(); /* all bytes are counted */
    atomicAdd(&out[threadIdx.x], s_bins[threadIdx.x]);
}

/* Add the sum of a bin over all copies to global memory. */
__device__ void add_copies(const unsigned s_bins[COPIES][BINS], unsigned *out)
{
    unsigned sum = 0;
    for (int c = 0; c < COPIES; c++)
        sum += s_bins[c][threadIdx.x];
    atomicAdd(&out[threadIdx.x], sum);
}

/* One copy per warp, four bytes per load: no conflicts between warps. */
__global__ void histogram_3_copies(const uchar4 *in, unsigned *out, int n)
{
    __shared__ unsigned s_bins[COPIES][BINS];
    unsigned *mine = s_bins[threadIdx.x / 32];
    for (int c = 0; c < COPIES; c++)
        s_bins[c][threadIdx.x] = 0;
    __syncthreads(); /* all bins are 0 */
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n / 4;
         i += gridDim.x * BLOCK) {
        const uchar4 v = in[i];
        atomicAdd(&mine[v.x], 1u);
        atomicAdd(&mine[v.y], 1u);
        atomicAdd(&mine[v.z], 1u);
        atomicAdd(&mine[v.w], 1u);
    }
    __syncthreads(); /* all bytes are counted */
    add_copies(s_bins, out);
}

/* The same with sixteen bytes per load. */
__global__ void histogram_4_wide(const uint4 *in, unsigned *out, int n)
{
    __shared__ unsigned s_bins[COPIES][BINS];
    unsigned *mine = s_bins[threadIdx.x / 32];
    for (int c = 0; c < COPIES; c++)
        s_bins[c][threadIdx.x] = 0;
    __syncthreads(); /* all bins are 0 */
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n / 16;
         i += gridDim.x * BLOCK) {
        const uint4 v = in[i];
        const unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int b = 0; b < 16; b++)
            atomicAdd(&mine[words[b / 4] >> 8 * (b % 4) & 255], 1u);
    }
    __syncthreads(); /* all bytes are counted */
    add_copies(s_bins, out);
}

int main(void)
{
    byte *in = ladder_memory<byte>(N);
    unsigned *out = ladder_memory<unsigned>(BINS), want[BINS] = {0};
    ladder_fill(in, N, 256);
    ladder_fill(out, BINS, 1);
    for (int i = 0; i < N; i++)
        want[in[i]]++;
#define STEP(name, type)                                    \
    name<<<BLOCKS, BLOCK>>>((const type *)in, out, N);      \
    ladder_check(#name, out, want, BINS);
    STEP(histogram_1_global, byte)
    STEP(histogram_2_shared, byte)
    STEP(histogram_3_copies, uchar4)
    STEP(histogram_4_wide, uint4)
    return ladder_wrong;
}
