/* SPDX-License-Identifier: MIT */
/* Kernels for global memory, with counters computed by hand.
 *
 * After "counts:" stand all counters of a kernel; those that are not named are
 * 0.  ld, st: requests/sectors/ideal/bytes of global loads and stores; lw:
 * wavefronts of the loads in L1; at: requests/sectors/passes of global atomics;
 * div: divergent branches, "?" for any number.  `in` and `out` are aligned to
 * 256 bytes.  A store of one word per lane to out[lane] by a full warp is
 * st=1/4/4/128: 128 bytes are 4 sectors. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct point { float x, y, z; };
typedef unsigned char byte;

/* --- strides: lanes k words apart span 32 k words and use 32 --- */

// unit stride: 32 words in a row.  counts: ld=1/4/4/128 lw=1 st=1/4/4/128
__global__ void stride_1(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// 64 words are 8 sectors, two in each bank of L1.
// counts: ld=1/8/4/128 lw=2 st=1/4/4/128
__global__ void stride_2(const float *in, float *out)
{
    out[threadIdx.x] = in[2 * threadIdx.x];
}

// 128 words are 16 sectors.  counts: ld=1/16/4/128 st=1/4/4/128
__global__ void stride_4(const float *in, float *out)
{
    out[threadIdx.x] = in[4 * threadIdx.x];
}

// 8 words are a sector: one a lane; eight in each of four banks.
// counts: ld=1/32/4/128 lw=8 st=1/4/4/128
__global__ void stride_8(const float *in, float *out)
{
    out[threadIdx.x] = in[8 * threadIdx.x];
}

// more than a sector apart: one a lane.  counts: ld=1/32/4/128 st=1/4/4/128
__global__ void stride_16(const float *in, float *out)
{
    out[threadIdx.x] = in[16 * threadIdx.x];
}

// the same, all in one bank.  counts: ld=1/32/4/128 lw=32 st=1/4/4/128
__global__ void stride_32(const float *in, float *out)
{
    out[threadIdx.x] = in[32 * threadIdx.x];
}

// 3 words apart: 96 words are 12 sectors, each bank has one word.
// counts: ld=1/12/4/128 lw=1 st=1/4/4/128
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

/* --- alignment ----------------------------------------------------------- */

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

/* --- access widths ------------------------------------------------------- */

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

/* --- orders of lanes ----------------------------------------------------- */

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

/* --- hints --------------------------------------------------------------- */

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

// a loop that loads one word by atomics is one request.
// counts: ld=0/0/0/0 st=1/4/4/128 at=1/1/32
__global__ void polls(int *in, int *out)
{
    int sum = 0;

    for (unsigned i = 27; i < blockDim.x; i++)
        sum += atomicAdd(in, 0);
    out[threadIdx.x] = sum;
}

// an update is no poll.  counts: ld=0/0/0/0 st=0/0/0/0 at=5/5/160
__global__ void updates(int *in)
{
    for (unsigned i = 27; i < blockDim.x; i++)
        atomicAdd(in, 1);
}

// four words a lane, four words apart: each a request.
// counts: ld=4/64/16/512 st=4/64/16/512
__global__ void library_copy(const float *in, float *out)
{
    float four[4];

    memcpy(four, in + 4 * threadIdx.x, sizeof four);
    memcpy(out + 4 * threadIdx.x, four, sizeof four);
}

// a word a lane.  counts: ld=0/0/0/0 st=1/4/4/128
__global__ void library_fill(const float *in, float *out)
{
    (void)in;
    memset(out + threadIdx.x, 0, sizeof *out);
}

// a word a lane, of each operand.  counts: ld=2/8/8/256 st=1/4/4/128
__global__ void library_compare(const float *in, float *out)
{
    out[threadIdx.x] = (float)memcmp(in + threadIdx.x, in + 32 + threadIdx.x,
                                     sizeof *in);
}

// one byte a lane, as the texts are empty: two loads are of the comparison.
// counts: ld=3/12/3/96 st=2/8/8/256
__global__ void library_texts(const float *in, float *out)
{
    const char *text = (const char *)(out + threadIdx.x);

    (void)in;
    out[threadIdx.x] = 0;
    out[threadIdx.x] = (float)(strlen(text) + (size_t)strcmp(text, text));
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
    RUN(polls, 1, 32, (int *)in, (int *)out);
    RUN(updates, 1, 32, (int *)in);
    RUN(hint_float4, 1, 32, (float4 *)in, (float4 *)out);
    SIMPLE(library_copy), SIMPLE(library_fill), SIMPLE(library_compare);
    SIMPLE(library_texts);
}

int main()
{
    void *in, *out;

    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    cudaMemset(out, 0, 1 << 16);
    accesses(in, out);
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
/* nvcc refuses memcmp() and strlen() in device code. */
