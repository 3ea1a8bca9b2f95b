/* SPDX-License-Identifier: MIT */
/* Kernels for active lanes: block shapes, branches, loops, atomics.  Counters
 * computed by hand, written as in counts.cu. */

/* --- active lanes -------------------------------------------------------- */

// n = 33 of 64: the second warp has one lane.
// counts: ld=2/5/5/132 st=2/5/5/132 div=1
__global__ void partial_33(const float *in, float *out, int n)
{
    int i = threadIdx.x;

    if (i < n)
        out[i] = in[i];
}

// a block of 48: 32 and 16 lanes.  counts: ld=2/6/6/192 st=2/6/6/192
__global__ void block_48(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// three blocks of one warp.  counts: ld=3/12/12/384 st=3/12/12/384
__global__ void blocks_3(const float *in, float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = in[i];
}

// 4000 blocks of two warps, 128 bytes each.  With a small budget for events
// only some of them are sampled; test_sample compares.
// counts: ld=8000/32000/32000/1024000 st=8000/32000/32000/1024000
__global__ void blocks_4000(const float *in, float *out)
{
    unsigned i = blockIdx.x % 128 * 64 + threadIdx.x;

    out[i] = in[i];
}

// lanes 0..19 remain: 80 bytes.  counts: ld=1/3/3/80 st=1/3/3/80 div=1
__global__ void early_return(const float *in, float *out)
{
    if (threadIdx.x >= 20)
        return;
    out[threadIdx.x] = in[threadIdx.x];
}

// 8 by 8: a warp is 4 rows, 32 words in a row.
// counts: ld=2/8/8/256 st=2/8/8/256
__global__ void block_8x8(const float *in, float *out)
{
    unsigned i = threadIdx.y * 8 + threadIdx.x;

    out[i] = in[i];
}

// 16 by 16 of a matrix with 64 words a row: a warp loads 64 bytes of two rows.
// counts: ld=8/32/32/1024 st=8/32/32/1024
__global__ void block_16x16(const float *in, float *out)
{
    unsigned i = threadIdx.y * 64 + threadIdx.x;

    out[i] = in[i];
}

// 33 words a row: the second row begins 4 bytes into a sector.
// counts: ld=2/9/8/256 st=2/9/8/256
__global__ void rows_of_33(const float *in, float *out)
{
    unsigned i = threadIdx.y * 33 + threadIdx.x;

    out[i] = in[i];
}

// a warp loads two neighboring words of each of 16 rows of 64 bytes: 16
// sectors.  counts: ld=8/128/32/1024 st=8/32/32/1024
__global__ void transposed_16x16(const float *in, float *out)
{
    out[threadIdx.y * 16 + threadIdx.x] = in[threadIdx.x * 16 + threadIdx.y];
}

/* --- branches ------------------------------------------------------------ */

// each half of the warp has its own load and store of 64 bytes.
// counts: ld=2/4/4/128 st=2/4/4/128 div=1
__global__ void halves(const float *in, float *out)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = in[threadIdx.x] + 1;
    else
        out[threadIdx.x + 64] = in[threadIdx.x + 32] * 2;
}

// even lanes alone, then all: the first store has 16 lanes over 4 sectors.
// counts: ld=1/4/4/128 st=2/8/6/192 div=1
__global__ void even_then_all(const float *in, float *out)
{
    float x = in[threadIdx.x];

    if (threadIdx.x % 2 == 0)
        out[threadIdx.x + 32] = x;
    out[threadIdx.x] = x;
}

// warps diverge from each other, lanes do not: two of four warps load.
// counts: ld=2/8/8/256 st=4/16/16/512
__global__ void by_warp(const float *in, float *out)
{
    float x = 1;

    if (threadIdx.x / 32 % 2)
        x = in[threadIdx.x];
    out[threadIdx.x] = x;
}

// four times 128 bytes.  counts: ld=4/16/16/512 st=1/4/4/128
__global__ void loop_4(const float *in, float *out, int n)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum += in[i * 32 + threadIdx.x];
    out[threadIdx.x] = sum;
}

// lane t iterates t times.  Iteration i has lanes i + 1 to 31: k = 31 - i words
// up to the end of a line, so ceil(k / 8) sectors; over k = 1..31 that is
// 8 + 16 + 24 + 28 = 76, and 4 * (1 + ... + 31) = 1984 bytes.  A lane exits at
// each test but the last, where the only active one does.
// counts: ld=31/76/76/1984 st=1/4/4/128 div=31
__global__ void triangle(const float *in, float *out)
{
    float sum = 0;

    for (int i = 0; i < threadIdx.x; i++)
        sum += in[i * 32 + threadIdx.x];
    out[threadIdx.x] = sum;
}

// in each of 3 iterations the inner loop runs (t + i) % 4 times: 24, 16 and 8
// lanes load, spread over 4 sectors; they reconverge after the inner loop.
// counts: ld=9/36/18/576 st=1/4/4/128 div=9
__global__ void nested(const float *in, float *out, int n)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < (threadIdx.x + i) % 4; j++)
            sum += in[j * 32 + threadIdx.x];
    out[threadIdx.x] = sum;
}

// 100 words by 64 threads: 0..31, 32..63, 64..95 and 96..99, 16 bytes.
// counts: ld=4/13/13/400 st=4/13/13/400 div=1
__global__ void grid_stride(const float *in, float *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = in[i];
}

// lanes find their word in iterations 0, 1, 2, 3 and exit: 32, 24, 16, 8 lanes
// test, and the words are 32 apart: each iteration loads from 4 sectors.
// counts: ld=4/16/10/320 st=1/4/4/128 div=3
__global__ void until_found(const int *in, int *out)
{
    int i = 0;

    while (in[i * 32 + threadIdx.x] != (int)threadIdx.x % 4)
        i++;
    out[threadIdx.x] = i;
}

// a quarter of the lanes, every fourth, in each case: 8 words over 4 sectors.
// The number of branches of a switch depends on the compiler.
// counts: ld=4/16/4/128 st=1/4/4/128 div=?
__global__ void four_ways(const float *in, float *out)
{
    unsigned t = threadIdx.x;
    float x;

    switch (t % 4) {
    case 0: x = in[t] + 1; break;
    case 1: x = in[t + 64] * 3; break;
    case 2: x = in[t + 128] - 5; break;
    default: x = in[t + 192] / 7; break;
    }
    out[t] = x;
}

__device__ __noinline__ float load_at(const float *in, int i)
{
    return in[i];
}

// a function called from both sides of a branch: 16 words over 4 sectors each.
// counts: ld=2/8/4/128 st=1/4/4/128 div=1
__global__ void called_twice(const float *in, float *out)
{
    float x;

    if (threadIdx.x % 2)
        x = load_at(in, threadIdx.x) + 1;
    else
        x = load_at(in, threadIdx.x + 32) * 2;
    out[threadIdx.x] = x;
}

/* --- atomics ------------------------------------------------------------- */

// 32 lanes at one address.  counts: at=1/1/32
__global__ void atomic_same(int *out)
{
    atomicAdd(out, 1);
}

// each its own.  counts: at=1/4/1
__global__ void atomic_distinct(int *out)
{
    atomicAdd(out + threadIdx.x, 1);
}

// two lanes a word, 64 bytes.  counts: at=1/2/2
__global__ void atomic_pairs(int *out)
{
    atomicAdd(out + threadIdx.x / 2, 1);
}

// one lane of each of two warps.  counts: at=2/2/2 div=2
__global__ void atomic_leaders(int *out)
{
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, 32);
}

// of float: one instruction, however it is done.  counts: at=1/1/32
__global__ void atomic_float(float *out)
{
    atomicAdd(out, 1.0f);
}

// of double: 16 addresses of 8 bytes.  counts: at=1/4/2
__global__ void atomic_double(double *out)
{
    atomicAdd(out + threadIdx.x % 16, 1.0);
}

// compare and swap, exchange, maximum.  counts: at=3/12/3
__global__ void atomic_others(int *out)
{
    atomicCAS(out + threadIdx.x, 0, 1);
    atomicExch(out + threadIdx.x, 2);
    atomicMax(out + threadIdx.x, 3);
}

static void find_data(int *in)
{
    int h[128];

    for (int i = 0; i < 128; i++)
        h[i] = i / 32;
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
}

#define RUN(kernel, grid, block, ...)                        \
    kernel<<<grid, block>>>(__VA_ARGS__)
#define F (float *)in, (float *)out
#define SIMPLE(kernel) RUN(kernel, 1, 32, F)

static void shapes(void *in, void *out)
{
    RUN(partial_33, 1, 64, F, 33);
    RUN(block_48, 1, 48, F);
    RUN(blocks_3, 3, 32, F);
    RUN(blocks_4000, 4000, 64, F);
    SIMPLE(early_return);
    RUN(block_8x8, 1, dim3(8, 8), F);
    RUN(block_16x16, 1, dim3(16, 16), F);
    RUN(rows_of_33, 1, dim3(32, 2), F);
    RUN(transposed_16x16, 1, dim3(16, 16), F);
    SIMPLE(halves), SIMPLE(even_then_all);
    RUN(by_warp, 1, 128, F);
    RUN(loop_4, 1, 32, F, 4);
    SIMPLE(triangle);
    RUN(nested, 1, 32, F, 3);
    RUN(grid_stride, 1, 64, F, 100);
    find_data((int *)in);
    RUN(until_found, 1, 32, (int *)in, (int *)out);
    SIMPLE(four_ways), SIMPLE(called_twice);
}

static void atomics(void *out)
{
    RUN(atomic_same, 1, 32, (int *)out);
    RUN(atomic_distinct, 1, 32, (int *)out);
    RUN(atomic_pairs, 1, 32, (int *)out);
    RUN(atomic_leaders, 1, 64, (int *)out);
    RUN(atomic_float, 1, 32, (float *)out);
    RUN(atomic_double, 1, 32, (double *)out);
    RUN(atomic_others, 1, 32, (int *)out);
}

int main()
{
    void *in, *out;

    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    cudaMemset(out, 0, 1 << 16);
    shapes(in, out);
    atomics(out);
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
