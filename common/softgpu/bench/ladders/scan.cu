/* SPDX-License-Identifier: MIT */
/* Inclusive scan of ints in five steps.  The first four scan each tile, then
 * the sums of the tiles, and add these; the fifth is a single pass with
 * decoupled look-back: each block reads the prefixes of earlier blocks. */
#include "ladder.h"

enum { N = 1 << 19, BLOCK = 256, TILE = 2 * BLOCK, ITEMS_PER_THREAD = 8 };

/* Hillis and Steele: log2(BLOCK) rounds, every thread adds in each. */
__device__ int hillis_steele(int *s, int value)
{
    s[threadIdx.x] = value;
    __syncthreads(); /* all are there */
    for (int stride = 1; stride < BLOCK; stride *= 2) {
        const int other =
            threadIdx.x >= stride ? s[threadIdx.x - stride] : 0;
        __syncthreads(); /* all have read */
        value += other;
        s[threadIdx.x] = value;
        __syncthreads(); /* all have written */
    }
    return value;
}

/* A block scans BLOCK elements with one addition per thread and step. */
__global__ void scan_1_hillis_steele(const int *in, int *out, int *sums)
{
    __shared__ int s[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    out[i] = hillis_steele(s, in[i]);
    if (threadIdx.x == BLOCK - 1)
        sums[blockIdx.x] = s[threadIdx.x];
}

/* Index of element i of a tile: PAD skips a word after every 32, so that
 * strides of powers of two have no bank conflicts. */
template <int PAD> __device__ int padded_index(int i)
{
    return PAD ? i + i / 32 : i;
}

/* Blelloch: up-sweep and down-sweep, two elements per thread. */
template <int PAD> __device__ void blelloch(const int *in, int *out, int *sums)
{
    __shared__ int s[TILE + TILE / 32];
    const int t = threadIdx.x, base = blockIdx.x * TILE;
    s[padded_index<PAD>(t)] = in[base + t];
    s[padded_index<PAD>(t + BLOCK)] = in[base + t + BLOCK];
    for (int stride = 1; stride < TILE; stride *= 2) {
        __syncthreads(); /* the level below is done */
        const int right = 2 * stride * (t + 1) - 1;
        if (right < TILE)
            s[padded_index<PAD>(right)] += s[padded_index<PAD>(right - stride)];
    }
    for (int stride = TILE / 4; stride > 0; stride /= 2) {
        __syncthreads(); /* the level above is done */
        const int right = 2 * stride * (t + 1) - 1 + stride;
        if (right < TILE)
            s[padded_index<PAD>(right)] += s[padded_index<PAD>(right - stride)];
    }
    __syncthreads(); /* all prefixes are complete */
    out[base + t] = s[padded_index<PAD>(t)];
    out[base + t + BLOCK] = s[padded_index<PAD>(t + BLOCK)];
    if (t == BLOCK - 1)
        sums[blockIdx.x] = s[padded_index<PAD>(TILE - 1)];
}

/* Up-sweep and down-sweep: O(n) additions, with bank conflicts. */
__global__ void scan_2_blelloch(const int *in, int *out, int *sums)
{
    blelloch<0>(in, out, sums);
}

/* The same with padded indices, which avoid the bank conflicts. */
__global__ void scan_3_conflict_free(const int *in, int *out, int *sums)
{
    blelloch<1>(in, out, sums);
}

/* Warp scan in registers. */
__device__ int warp_scan(int value)
{
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(~0u, value, distance);
        if (threadIdx.x % 32 >= distance)
            value += other;
    }
    return value;
}

/* Block scan: of each warp, then of the warps' sums. */
__device__ int block_scan(int *s_sums, int value)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    value = warp_scan(value);
    if (lane == 31)
        s_sums[warp] = value;
    __syncthreads(); /* the warps' sums are stored */
    if (warp == 0) {
        const int sum = warp_scan(lane < BLOCK / 32 ? s_sums[lane] : 0);
        if (lane < BLOCK / 32)
            s_sums[lane] = sum;
    }
    __syncthreads(); /* and scanned */
    return value + (warp ? s_sums[warp - 1] : 0);
}

/* Warps scan by shuffles; the warps' sums go through shared memory. */
__global__ void scan_4_shuffle(const int *in, int *out, int *sums)
{
    __shared__ int s_sums[BLOCK / 32];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int value = block_scan(s_sums, in[i]);
    out[i] = value;
    if (threadIdx.x == BLOCK - 1)
        sums[blockIdx.x] = value;
}

/* The three ladder kernels above leave sums, one a part; they are scanned in
 * one block, and added. */
template <int STEP> __device__ void scan_sums(int *sums, int n)
{
    __shared__ int s[BLOCK];
    int exclusive_prefix = 0;
    for (int base = 0; base < n; base += BLOCK) {
        const int i = base + threadIdx.x;
        const int value =
            hillis_steele(s, i < n ? sums[i] : 0) + exclusive_prefix;
        if (i < n)
            sums[i] = value;
        exclusive_prefix += s[BLOCK - 1];
        __syncthreads(); /* all have read the last */
    }
}

/* Add what came before the part. */
__device__ void add_sums(int *out, const int *sums, int tile)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= tile)
        out[i] += sums[i / tile - 1];
}

#define SUM_KERNELS(step)                                              \
    __global__ void step##_sums(int *sums, int n)               \
    {                                                           \
        scan_sums<__LINE__>(sums, n);                           \
    }                                                           \
    __global__ void step##_add(int *out, const int *sums, int tile) \
    {                                                           \
        add_sums(out, sums, tile);                              \
    }
SUM_KERNELS(scan_1)
SUM_KERNELS(scan_2)
SUM_KERNELS(scan_3)
SUM_KERNELS(scan_4)

/* State of a tile: not ready, its own sum, or its inclusive prefix. */
enum { NOT_READY, AGGREGATE, PREFIX };
#define STATE(flag, value) \
    ((unsigned long long)(flag) << 32 | (unsigned)(value))

/* The sum of all parts before this one, found by one thread. */
__device__ int look_back(volatile unsigned long long *states, int tile)
{
    int sum = 0;
    for (int p = tile - 1; p >= 0;) {
        const unsigned long long state = states[p];
        const int flag = (int)(state >> 32);
        if (flag == NOT_READY)
            continue;
        sum += (int)(unsigned)state;
        if (flag == PREFIX)
            break;
        p--;
    }
    return sum;
}

/* Eight elements a thread, as two vectors; parts are taken in order. */
__global__ void scan_5_look_back(const int4 *in, int4 *out,
                                 unsigned long long *states, int *next)
{
    __shared__ int s_sums[BLOCK / 32], s_part, s_prefix;
    if (threadIdx.x == 0)
        s_part = atomicAdd(next, 1);
    __syncthreads(); /* the part is known */
    const int tile = s_part;
    const int i = (tile * BLOCK + threadIdx.x) * 2;
    int4 a = in[i], b = in[i + 1];
    a.y += a.x, a.z += a.y, a.w += a.z;
    b.x += a.w, b.y += b.x, b.z += b.y, b.w += b.z;
    const int total = block_scan(s_sums, b.w);
    if (threadIdx.x == BLOCK - 1) {
        atomicExch(&states[tile], STATE(tile ? AGGREGATE : PREFIX, total));
        s_prefix = look_back(states, tile);
        atomicExch(&states[tile], STATE(PREFIX, s_prefix + total));
    }
    __syncthreads(); /* what came before is known */
    const int exclusive_prefix = s_prefix + total - b.w;
    a.x += exclusive_prefix, a.y += exclusive_prefix, a.z += exclusive_prefix,
        a.w += exclusive_prefix;
    b.x += exclusive_prefix, b.y += exclusive_prefix, b.z += exclusive_prefix,
        b.w += exclusive_prefix;
    out[i] = a;
    out[i + 1] = b;
}

int main(void)
{
    int *in = ladder_memory<int>(N), *out = ladder_memory<int>(N);
    int *sums = ladder_memory<int>(N / BLOCK), *next = ladder_memory<int>(1);
    unsigned long long *states =
        ladder_memory<unsigned long long>(N / BLOCK / ITEMS_PER_THREAD);
    int *want = (int *)malloc(N * sizeof(int)), sum = 0;
    ladder_fill(in, N, 1000);
    ladder_fill(states, N / BLOCK / ITEMS_PER_THREAD, 1);
    ladder_fill(next, 1, 1);
    for (int i = 0; i < N; i++)
        want[i] = sum += in[i];
#define RUN_THREE_KERNELS(name, step, tile)                           \
    name<<<N / (tile), BLOCK>>>(in, out, sums);           \
    step##_sums<<<1, BLOCK>>>(sums, N / (tile));          \
    step##_add<<<N / BLOCK, BLOCK>>>(out, sums, tile);    \
    ladder_check(#name, out, want, N);
    RUN_THREE_KERNELS(scan_1_hillis_steele, scan_1, BLOCK)
    RUN_THREE_KERNELS(scan_2_blelloch, scan_2, TILE)
    RUN_THREE_KERNELS(scan_3_conflict_free, scan_3, TILE)
    RUN_THREE_KERNELS(scan_4_shuffle, scan_4, BLOCK)
    scan_5_look_back<<<N / BLOCK / ITEMS_PER_THREAD, BLOCK>>>(
        (const int4 *)in, (int4 *)out, states, next);
    ladder_check("scan_5_look_back", out, want, N);
    free(want);
    return ladder_wrong;
}
