/* SPDX-License-Identifier: MIT */
/* Micro-kernels for global memory whose counts were worked out by hand.
 *
 * Behind "counts:" stands all that a kernel is to count; what is not named is
 * to be 0.  ld, st: requests/sectors/ideal/bytes of global loads and stores;
 * at: requests/sectors/passes of global atomics; div: branches that part, "?":
 * however many.  `in` and `out` begin at a multiple of 256.  A store of one word a lane to
 * out[lane] by a full warp is st=1/4/4/128: 128 bytes are 4 sectors. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct point { float x, y, z; };
typedef unsigned char byte;

/* --- strides: lanes k words apart touch 32 k words, of which 32 are used ----- */

// unit stride: 32 words in a row.  counts: ld=1/4/4/128 st=1/4/4/128
__global__ void stride_1(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// 64 words are 8 sectors.  counts: ld=1/8/4/128 st=1/4/4/128
__global__ void stride_2(const float *in, float *out)
{
    out[threadIdx.x] = in[2 * threadIdx.x];
}

// 128 words are 16 sectors.  counts: ld=1/16/4/128 st=1/4/4/128
__global__ void stride_4(const float *in, float *out)
{
    out[threadIdx.x] = in[4 * threadIdx.x];
}

// 8 words are a sector: one a lane.  counts: ld=1/32/4/128 st=1/4/4/128
__global__ void stride_8(const float *in, float *out)
{
    out[threadIdx.x] = in[8 * threadIdx.x];
}

// more than a sector apart: one a lane.  counts: ld=1/32/4/128 st=1/4/4/128
__global__ void stride_16(const float *in, float *out)
{
    out[threadIdx.x] = in[16 * threadIdx.x];
}

// the same.  counts: ld=1/32/4/128 st=1/4/4/128
__global__ void stride_32(const float *in, float *out)
{
    out[threadIdx.x] = in[32 * threadIdx.x];
}

// 3 words apart: 96 words are 12 sectors.  counts: ld=1/12/4/128 st=1/4/4/128
__global__ void stride_3(const float *in, float *out)
{
    out[threadIdx.x] = in[3 * threadIdx.x];
}

// stores every second word.  counts: ld=1/4/4/128 st=1/8/4/128
__global__ void store_stride_2(const float *in, float *out)
{
    out[2 * threadIdx.x] = in[threadIdx.x];
}

// a column of a matrix of 32 words a row.  counts: ld=1/4/4/128 st=1/32/4/128
__global__ void store_column(const float *in, float *out)
{
    out[32 * threadIdx.x] = in[threadIdx.x];
}

/* --- where a warp begins --------------------------------------------------------- */

// bytes 4..131: sectors 0 to 4.  counts: ld=1/5/4/128 st=1/4/4/128
__global__ void offset_1(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x + 1];
}

// bytes 16..143: sectors 0 to 4.  counts: ld=1/5/4/128 st=1/4/4/128
__global__ void offset_4(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x + 4];
}

// bytes 32..159: sectors 1 to 4.  counts: ld=1/4/4/128 st=1/4/4/128
__global__ void offset_8(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x + 8];
}

// loads a sector more, stores one more.  counts: ld=1/5/4/128 st=1/5/4/128
__global__ void offset_both(const float *in, float *out)
{
    out[threadIdx.x + 3] = in[threadIdx.x + 7];
}

// bytes 1..32: two sectors for 32 bytes.  counts: ld=1/2/1/32 st=1/1/1/32
__global__ void offset_byte(const byte *in, byte *out)
{
    out[threadIdx.x] = in[threadIdx.x + 1];
}

// bytes 2..65: three sectors for 64 bytes.  counts: ld=1/3/2/64 st=1/2/2/64
__global__ void offset_short(const short *in, short *out)
{
    out[threadIdx.x] = in[threadIdx.x + 1];
}

/* --- how wide a lane is ------------------------------------------------------------ */

// 32 bytes.  counts: ld=1/1/1/32 st=1/1/1/32
__global__ void width_1(const byte *in, byte *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// 64 bytes.  counts: ld=1/2/2/64 st=1/2/2/64
__global__ void width_2(const short *in, short *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// 256 bytes.  counts: ld=1/8/8/256 st=1/8/8/256
__global__ void width_8(const double *in, double *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// 256 bytes.  counts: ld=1/8/8/256 st=1/8/8/256
__global__ void width_float2(const float2 *in, float2 *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// 512 bytes, one access a lane.  counts: ld=1/16/16/512 st=1/16/16/512
__global__ void width_float4(const float4 *in, float4 *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// the value passes through a local.  counts: ld=1/16/16/512 st=1/16/16/512
__global__ void float4_changed(const float4 *in, float4 *out)
{
    float4 v = in[threadIdx.x];

    v.x += v.w;
    v.y *= 2;
    out[threadIdx.x] = v;
}

// made of four floats.  counts: ld=1/4/4/128 st=1/16/16/512
__global__ void float4_made(const float *in, float4 *out)
{
    float x = in[threadIdx.x];

    out[threadIdx.x] = make_float4(x, x + 1, x + 2, x + 3);
}

// one member of each: 16 bytes apart.  counts: ld=1/16/4/128 st=1/4/4/128
__global__ void float4_member(const float4 *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x].y;
}

// 16 bytes in every 32: a sector a lane.  counts: ld=1/32/16/512 st=1/16/16/512
__global__ void float4_stride_2(const float4 *in, float4 *out)
{
    out[threadIdx.x] = in[2 * threadIdx.x];
}

// int4 as it is cast in wide copies.  counts: ld=1/16/16/512 st=1/16/16/512
__global__ void wide_cast(const float *in, float *out)
{
    reinterpret_cast<int4 *>(out)[threadIdx.x] =
        reinterpret_cast<const int4 *>(in)[threadIdx.x];
}

// a pair of halves is 4 bytes.  counts: ld=1/4/4/128 st=1/4/4/128
__global__ void width_half2(const __half2 *in, __half2 *out)
{
    __half2 v = in[threadIdx.x];

    out[threadIdx.x] = __hadd2(v, v);
}

// one half.  counts: ld=1/2/2/64 st=1/2/2/64
__global__ void width_half(const __half *in, __half *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// one bfloat16.  counts: ld=1/2/2/64 st=1/4/4/128
__global__ void width_bf16(const __nv_bfloat16 *in, float *out)
{
    out[threadIdx.x] = __bfloat162float(in[threadIdx.x]);
}

// long long.  counts: ld=1/8/8/256 st=1/8/8/256
__global__ void width_long(const long long *in, long long *out)
{
    out[threadIdx.x] = in[threadIdx.x] + 1;
}

// one byte in each sector.  counts: ld=1/32/1/32 st=1/1/1/32
__global__ void byte_stride_32(const byte *in, byte *out)
{
    out[threadIdx.x] = in[32 * threadIdx.x];
}

/* --- which lane has which word ---------------------------------------------------------- */

// backwards: the same sectors.  counts: ld=1/4/4/128 st=1/4/4/128
__global__ void reversed(const float *in, float *out)
{
    out[threadIdx.x] = in[31 - threadIdx.x];
}

// 13 is odd: every word once.  counts: ld=1/4/4/128 st=1/4/4/128
__global__ void permuted(const float *in, float *out)
{
    out[threadIdx.x] = in[(13 * threadIdx.x + 5) % 32];
}

// one word for all: 4 bytes.  counts: ld=1/1/1/4 st=1/4/4/128
__global__ void broadcast(const float *in, float *out)
{
    out[threadIdx.x] = in[0];
}

// four lanes a word: 8 words.  counts: ld=1/1/1/32 st=1/4/4/128
__global__ void fours(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x / 4];
}

// four rows of 256 bytes, 8 words of each.  counts: ld=1/4/4/128 st=1/4/4/128
__global__ void pieces(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x / 8 * 64 + threadIdx.x % 8];
}

// two words 4 apart in each sector.  counts: ld=1/16/4/128 st=1/4/4/128
__global__ void pairs(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x / 2 * 8 + threadIdx.x % 2 * 4];
}

// three arrays, three loads.  counts: ld=3/12/12/384 st=1/4/4/128
__global__ void arrays(const float *in, float *out)
{
    unsigned t = threadIdx.x;

    out[t] = in[t] + in[t + 1024] + in[t + 2048];
}

// 12 bytes apart: 384 bytes a load.  counts: ld=3/36/12/384 st=1/4/4/128
__global__ void structs(const point *in, float *out)
{
    out[threadIdx.x] =
        in[threadIdx.x].x + in[threadIdx.x].y + in[threadIdx.x].z;
}

/* --- how many lanes take part -------------------------------------------------------------- */

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

// a warp reads two neighbouring words of each of 16 rows of 64 bytes: 16
// sectors.  counts: ld=8/128/32/1024 st=8/32/32/1024
__global__ void transposed_16x16(const float *in, float *out)
{
    out[threadIdx.y * 16 + threadIdx.x] = in[threadIdx.x * 16 + threadIdx.y];
}

/* --- branches ---------------------------------------------------------------------------------- */

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

// whole warps part, lanes do not: two of four warps load.
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

// lane t goes round t times.  Round i has lanes i + 1 to 31: k = 31 - i words
// up to the end of a line, so ceil(k / 8) sectors; over k = 1..31 that is
// 8 + 16 + 24 + 28 = 76, and 4 * (1 + ... + 31) = 1984 bytes.  A lane leaves at
// each test but the last, where the only one left does.
// counts: ld=31/76/76/1984 st=1/4/4/128 div=31
__global__ void triangle(const float *in, float *out)
{
    float sum = 0;

    for (int i = 0; i < threadIdx.x; i++)
        sum += in[i * 32 + threadIdx.x];
    out[threadIdx.x] = sum;
}

// in each of 3 rounds lanes go round (t + i) % 4 times inside: 24, 16 and 8
// lanes load, spread over 4 sectors; they meet again behind the inner loop.
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

// lanes find their word at steps 0, 1, 2, 3 and leave: 32, 24, 16, 8 lanes
// test, and the words lie 32 apart: each step loads of 4 sectors.
// counts: ld=4/16/10/320 st=1/4/4/128 div=3
__global__ void until_found(const int *in, int *out)
{
    int i = 0;

    while (in[i * 32 + threadIdx.x] != (int)threadIdx.x % 4)
        i++;
    out[threadIdx.x] = i;
}

// a quarter of the lanes, every fourth, in each case: 8 words over 4 sectors.
// How many branches a switch takes is the compiler's business.
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

/* --- atomics -------------------------------------------------------------------------------------- */

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

/* --- hints ------------------------------------------------------------------------------------------ */

// loads and stores with hints.  counts: ld=2/8/8/256 st=1/4/4/128
__global__ void hints(const float *in, float *out)
{
    __stcs(out + threadIdx.x,
           __ldg(in + threadIdx.x) + __ldcg(in + threadIdx.x + 32));
}

// a hinted load of 16 bytes.  counts: ld=1/16/16/512 st=1/16/16/512
__global__ void hint_float4(const float4 *in, float4 *out)
{
    out[threadIdx.x] = __ldg(in + threadIdx.x);
}

// volatile: an access all the same.  counts: ld=1/4/4/128 st=1/4/4/128
__global__ void volatiles(const volatile float *in, volatile float *out)
{
    out[threadIdx.x] = in[threadIdx.x];
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

static void accesses(void *in, void *out)
{
    SIMPLE(stride_1), SIMPLE(stride_2), SIMPLE(stride_4), SIMPLE(stride_8);
    SIMPLE(stride_16), SIMPLE(stride_32), SIMPLE(stride_3);
    SIMPLE(store_stride_2), SIMPLE(store_column);
    SIMPLE(offset_1), SIMPLE(offset_4), SIMPLE(offset_8), SIMPLE(offset_both);
    RUN(offset_byte, 1, 32, (byte *)in, (byte *)out);
    RUN(offset_short, 1, 32, (short *)in, (short *)out);
    RUN(width_1, 1, 32, (byte *)in, (byte *)out);
    RUN(width_2, 1, 32, (short *)in, (short *)out);
    RUN(width_8, 1, 32, (double *)in, (double *)out);
    RUN(width_float2, 1, 32, (float2 *)in, (float2 *)out);
    RUN(width_float4, 1, 32, (float4 *)in, (float4 *)out);
    RUN(float4_changed, 1, 32, (float4 *)in, (float4 *)out);
    RUN(float4_made, 1, 32, (float *)in, (float4 *)out);
    RUN(float4_member, 1, 32, (float4 *)in, (float *)out);
    RUN(float4_stride_2, 1, 32, (float4 *)in, (float4 *)out);
    SIMPLE(wide_cast);
    RUN(width_half2, 1, 32, (__half2 *)in, (__half2 *)out);
    RUN(width_half, 1, 32, (__half *)in, (__half *)out);
    RUN(width_bf16, 1, 32, (__nv_bfloat16 *)in, (float *)out);
    RUN(width_long, 1, 32, (long long *)in, (long long *)out);
    RUN(byte_stride_32, 1, 32, (byte *)in, (byte *)out);
    SIMPLE(reversed), SIMPLE(permuted), SIMPLE(broadcast), SIMPLE(fours);
    SIMPLE(pieces), SIMPLE(pairs), SIMPLE(arrays);
    RUN(structs, 1, 32, (point *)in, (float *)out);
    SIMPLE(hints), SIMPLE(volatiles);
    RUN(hint_float4, 1, 32, (float4 *)in, (float4 *)out);
}

static void shapes(void *in, void *out)
{
    RUN(partial_33, 1, 64, F, 33);
    RUN(block_48, 1, 48, F);
    RUN(blocks_3, 3, 32, F);
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
    accesses(in, out);
    shapes(in, out);
    atomics(out);
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
