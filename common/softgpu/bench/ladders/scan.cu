/* SPDX-License-Identifier: MIT */
/* Inclusive scan of ints in five steps.  The first four scan each block's
 * part, then the parts' sums, then add those; the fifth does all in one pass,
 * each block looking back at what the ones before it have published. */
#include "ladder.h"

enum { N = 1 << 19, BLOCK = 256, PART = 2 * BLOCK, EACH = 8 };

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

__global__ void scan_1_hillis_steele(const int *in, int *out, int *sums)
{
    __shared__ int s[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    out[i] = hillis_steele(s, in[i]);
    if (threadIdx.x == BLOCK - 1)
        sums[blockIdx.x] = s[threadIdx.x];
}

/* Where element i of a part lies: with PAD a word is left out every 32, so
 * that powers of two do not meet in a bank. */
template <int PAD> __device__ int place(int i)
{
    return PAD ? i + i / 32 : i;
}

/* Blelloch: up a tree of sums and down again, two elements a thread. */
template <int PAD> __device__ void blelloch(const int *in, int *out, int *sums)
{
    __shared__ int s[PART + PART / 32];
    const int t = threadIdx.x, base = blockIdx.x * PART;
    s[place<PAD>(t)] = in[base + t];
    s[place<PAD>(t + BLOCK)] = in[base + t + BLOCK];
    for (int stride = 1; stride < PART; stride *= 2) {
        __syncthreads(); /* the level below is done */
        const int right = 2 * stride * (t + 1) - 1;
        if (right < PART)
            s[place<PAD>(right)] += s[place<PAD>(right - stride)];
    }
    for (int stride = PART / 4; stride > 0; stride /= 2) {
        __syncthreads(); /* the level above is done */
        const int right = 2 * stride * (t + 1) - 1 + stride;
        if (right < PART)
            s[place<PAD>(right)] += s[place<PAD>(right - stride)];
    }
    __syncthreads(); /* all are sums */
    out[base + t] = s[place<PAD>(t)];
    out[base + t + BLOCK] = s[place<PAD>(t + BLOCK)];
    if (t == BLOCK - 1)
        sums[blockIdx.x] = s[place<PAD>(PART - 1)];
}

__global__ void scan_2_blelloch(const int *in, int *out, int *sums)
{
    blelloch<0>(in, out, sums);
}

__global__ void scan_3_conflict_free(const int *in, int *out, int *sums)
{
    blelloch<1>(in, out, sums);
}

/* A warp scans in registers. */
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

/* A block: its warps, then their sums. */
__device__ int block_scan(int *s_sums, int value)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    value = warp_scan(value);
    if (lane == 31)
        s_sums[warp] = value;
    __syncthreads(); /* the warps' sums are there */
    if (warp == 0) {
        const int sum = warp_scan(lane < BLOCK / 32 ? s_sums[lane] : 0);
        if (lane < BLOCK / 32)
            s_sums[lane] = sum;
    }
    __syncthreads(); /* and scanned */
    return value + (warp ? s_sums[warp - 1] : 0);
}

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
    int before = 0;
    for (int base = 0; base < n; base += BLOCK) {
        const int i = base + threadIdx.x;
        const int value = hillis_steele(s, i < n ? sums[i] : 0) + before;
        if (i < n)
            sums[i] = value;
        before += s[BLOCK - 1];
        __syncthreads(); /* all have read the last */
    }
}

/* Add what came before the part. */
__device__ void add_sums(int *out, const int *sums, int part)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= part)
        out[i] += sums[i / part - 1];
}

#define REST(step)                                              \
    __global__ void step##_sums(int *sums, int n)               \
    {                                                           \
        scan_sums<__LINE__>(sums, n);                           \
    }                                                           \
    __global__ void step##_add(int *out, const int *sums, int part) \
    {                                                           \
        add_sums(out, sums, part);                              \
    }
REST(scan_1)
REST(scan_2)
REST(scan_3)
REST(scan_4)

/* What a block has published: nothing, its own sum, or all up to it. */
enum { NOTHING, OWN, ALL };
#define STATE(flag, value) \
    ((unsigned long long)(flag) << 32 | (unsigned)(value))

/* The sum of all parts before this one, found by one thread. */
__device__ int look_back(volatile unsigned long long *states, int part)
{
    int sum = 0;
    for (int p = part - 1; p >= 0;) {
        const unsigned long long state = states[p];
        const int flag = (int)(state >> 32);
        if (flag == NOTHING)
            continue;
        sum += (int)(unsigned)state;
        if (flag == ALL)
            break;
        p--;
    }
    return sum;
}

/* Eight elements a thread, as two vectors; parts are taken in order. */
__global__ void scan_5_look_back(const int4 *in, int4 *out,
                                 unsigned long long *states, int *next)
{
    __shared__ int s_sums[BLOCK / 32], s_part, s_before;
    if (threadIdx.x == 0)
        s_part = atomicAdd(next, 1);
    __syncthreads(); /* the part is known */
    const int part = s_part;
    const int i = (part * BLOCK + threadIdx.x) * 2;
    int4 a = in[i], b = in[i + 1];
    a.y += a.x, a.z += a.y, a.w += a.z;
    b.x += a.w, b.y += b.x, b.z += b.y, b.w += b.z;
    const int total = block_scan(s_sums, b.w);
    if (threadIdx.x == BLOCK - 1) {
        atomicExch(&states[part], STATE(part ? OWN : ALL, total));
        s_before = look_back(states, part);
        atomicExch(&states[part], STATE(ALL, s_before + total));
    }
    __syncthreads(); /* what came before is known */
    const int before = s_before + total - b.w;
    a.x += before, a.y += before, a.z += before, a.w += before;
    b.x += before, b.y += before, b.z += before, b.w += before;
    out[i] = a;
    out[i + 1] = b;
}

int main(void)
{
    int *in = ladder_memory<int>(N), *out = ladder_memory<int>(N);
    int *sums = ladder_memory<int>(N / BLOCK), *next = ladder_memory<int>(1);
    unsigned long long *states =
        ladder_memory<unsigned long long>(N / BLOCK / EACH);
    int *want = (int *)malloc(N * sizeof(int)), sum = 0;
    ladder_fill(in, N, 1000);
    ladder_fill(states, N / BLOCK / EACH, 1);
    ladder_fill(next, 1, 1);
    for (int i = 0; i < N; i++)
        want[i] = sum += in[i];
#define THREE(name, step, part)                           \
    name<<<N / (part), BLOCK>>>(in, out, sums);           \
    step##_sums<<<1, BLOCK>>>(sums, N / (part));          \
    step##_add<<<N / BLOCK, BLOCK>>>(out, sums, part);    \
    ladder_check(#name, out, want, N);
    THREE(scan_1_hillis_steele, scan_1, BLOCK)
    THREE(scan_2_blelloch, scan_2, PART)
    THREE(scan_3_conflict_free, scan_3, PART)
    THREE(scan_4_shuffle, scan_4, BLOCK)
    scan_5_look_back<<<N / BLOCK / EACH, BLOCK>>>((const int4 *)in,
                                                  (int4 *)out, states, next);
    ladder_check("scan_5_look_back", out, want, N);
    free(want);
    return ladder_wrong;
}
