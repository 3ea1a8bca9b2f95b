/* SPDX-License-Identifier: MIT */
/* Kernels for shared and constant memory and for barriers, with counters
 * computed by hand.
 *
 * After "counts:", in addition to counts.cu: sl, ss: requests/wavefronts/bank
 * conflicts of shared loads and stores; sa: requests/passes of shared atomics;
 * co: requests/passes of constant loads; cr: passes beyond one each; bar:
 * barriers; bp: phases of others; bb: requests of the busiest block.  Word w is
 * in bank w % 32.  Each kernel ends with st=1/4/4/128. */

#include <cooperative_groups.h>

typedef unsigned char byte;

/* Each lane stores and loads word K * lane.  gcd(K, 32) words are in the same
 * bank, which takes as many wavefronts. */
template <int K> __device__ void strided(float *out)
{
    __shared__ float s[32 * K];

    s[K * threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[K * threadIdx.x];
}

// a function's variable is memory of its block.
// counts: ss=1/1/0 sl=1/1/0 st=1/4/4/128 bar=1 sm=128
__global__ void shared_1(float *out) { strided<1>(out); }

// counts: ss=1/2/1 sl=1/2/1 st=1/4/4/128 bar=1
__global__ void shared_2(float *out) { strided<2>(out); }

// counts: ss=1/1/0 sl=1/1/0 st=1/4/4/128 bar=1
__global__ void shared_3(float *out) { strided<3>(out); }

// counts: ss=1/4/3 sl=1/4/3 st=1/4/4/128 bar=1
__global__ void shared_4(float *out) { strided<4>(out); }

// counts: ss=1/2/1 sl=1/2/1 st=1/4/4/128 bar=1
__global__ void shared_6(float *out) { strided<6>(out); }

// counts: ss=1/8/7 sl=1/8/7 st=1/4/4/128 bar=1
__global__ void shared_8(float *out) { strided<8>(out); }

// counts: ss=1/16/15 sl=1/16/15 st=1/4/4/128 bar=1
__global__ void shared_16(float *out) { strided<16>(out); }

// counts: ss=1/32/31 sl=1/32/31 st=1/4/4/128 bar=1
__global__ void shared_32(float *out) { strided<32>(out); }

// stride 33: padding.
// counts: ss=1/1/0 sl=1/1/0 st=1/4/4/128 bar=1
__global__ void shared_33(float *out) { strided<33>(out); }

/* --- broadcasts ---------------------------------------------------------- */

// all lanes read one word.  counts: ss=1/1/0 sl=1/1/0 st=1/4/4/128 bar=1
__global__ void shared_broadcast(float *out)
{
    __shared__ float s[32];

    s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[7];
}

// halves of a word are the same word.
// counts: ss=1/1/0 sl=1/1/0 st=1/4/4/128 bar=1
__global__ void shared_short(float *out)
{
    __shared__ short s[32];

    s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}

// bytes 128 apart: 32 words of one bank.
// counts: ss=1/1/0 sl=1/32/31 st=1/4/4/128 bar=1
__global__ void shared_bytes(float *out)
{
    __shared__ byte s[32 * 128];

    s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[128 * threadIdx.x];
}

// two words of each of 16 banks: 2 wavefronts, though only 32 words.
// counts: ss=1/1/0 sl=1/2/1 st=1/4/4/128 bar=1
__global__ void shared_half_the_banks(float *out)
{
    __shared__ float s[64];

    s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x % 16 + threadIdx.x / 16 * 32];
}

/* --- 8 and 16 bytes per lane --------------------------------------------- */

// 8 bytes: two passes of 16 lanes.
// counts: ss=1/2/0 sl=1/2/0 st=1/4/4/128 bar=1
__global__ void shared_double(float *out)
{
    __shared__ double s[32];

    s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = (float)s[threadIdx.x];
}

// every second double: in a pass, lanes 8 apart share a bank.
// counts: ss=1/4/2 sl=1/4/2 st=1/4/4/128 bar=1
__global__ void shared_double_2(float *out)
{
    __shared__ double s[64];

    s[2 * threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = (float)s[2 * threadIdx.x];
}

// 16 bytes: four passes of 8 lanes.
// counts: ss=1/4/0 sl=1/4/0 st=1/4/4/128 bar=1
__global__ void shared_float4(float *out)
{
    __shared__ float4 s[32];

    s[threadIdx.x] = make_float4(1, 2, 3, 4);
    __syncthreads();
    float4 v = s[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// every second one: in a pass, lanes 4 apart share banks.
// counts: ss=1/8/4 sl=1/8/4 st=1/4/4/128 bar=1
__global__ void shared_float4_2(float *out)
{
    __shared__ float4 s[64];

    s[2 * threadIdx.x] = make_float4(1, 2, 3, 4);
    __syncthreads();
    float4 v = s[2 * threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// one float4 for all: one wavefront per pass.
// counts: ss=1/4/0 sl=1/4/0 st=1/4/4/128 bar=1
__global__ void shared_float4_same(float *out)
{
    __shared__ float4 s[32];

    s[threadIdx.x] = make_float4(1, 2, 3, 4);
    __syncthreads();
    float4 v = s[3];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// 8 lanes of 16 bytes: one pass has an active lane.
// counts: ss=1/1/0 sl=1/1/0 st=1/1/1/32 bar=1
__global__ void shared_float4_of_8(float *out)
{
    __shared__ float4 s[8];

    s[threadIdx.x] = make_float4(1, 2, 3, 4);
    __syncthreads();
    float4 v = s[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

/* --- tiles --------------------------------------------------------------- */

/* A tile of 32 x 32 is stored by rows and loaded by columns, by 8 warps in 4
 * steps: 32 loads of 4 sectors, 32 stores of 4. */
template <int Pitch>
__device__ void transpose(const float *in, float *out)
{
    __shared__ float s[32][Pitch];

    for (int j = threadIdx.y; j < 32; j += 8)
        s[j][threadIdx.x] = in[j * 32 + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        out[j * 32 + threadIdx.x] = s[threadIdx.x][j];
}

// a column is one bank: 32 times 32 wavefronts.
// counts: ld=32/128/128/4096 ss=32/32/0 sl=32/1024/992 st=32/128/128/4096 bar=1
__global__ void tile(const float *in, float *out) { transpose<32>(in, out); }

// one word of padding.
// counts: ld=32/128/128/4096 ss=32/32/0 sl=32/32/0 st=32/128/128/4096 bar=1
__global__ void tile_padded(const float *in, float *out)
{
    transpose<33>(in, out);
}

// two words of padding: rows 16 apart share a bank.
// counts: ld=32/128/128/4096 ss=32/32/0 sl=32/64/32 st=32/128/128/4096 bar=1
__global__ void tile_padded_by_2(const float *in, float *out)
{
    transpose<34>(in, out);
}

// column exclusive-or row: each row and column has all banks.
// counts: ld=32/128/128/4096 ss=32/32/0 sl=32/32/0 st=32/128/128/4096 bar=1
__global__ void tile_swizzled(const float *in, float *out)
{
    __shared__ float s[32][32];

    for (int j = threadIdx.y; j < 32; j += 8)
        s[j][threadIdx.x ^ j] = in[j * 32 + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        out[j * 32 + threadIdx.x] = s[threadIdx.x][j ^ threadIdx.x];
}

// two arrays, the second at offset 132: banks follow from the offset in the
// block's memory.  counts: ss=2/2/0 sl=2/2/0 st=1/4/4/128 bar=1
__global__ void two_arrays(float *out)
{
    __shared__ float s[33];
    __shared__ float r[32];

    s[threadIdx.x] = 1;
    r[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 1] + r[threadIdx.x];
}

// dynamic shared memory.
// counts: ss=1/2/1 sl=1/2/1 st=1/4/4/128 bar=1
__global__ void dynamic(float *out)
{
    extern __shared__ float s[];

    s[2 * threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[2 * threadIdx.x];
}

/* --- barriers, reductions ------------------------------------------------ */

// 64 threads fill (2 stores); 6 rounds of 32, 16, ..., 1 lanes of the first
// warp load two words and store one; the sum is read and stored by one lane.
// The first warp diverges in rounds of 16 to 1 lanes, and at the end.
// counts: ld=2/8/8/256 ss=8/8/0 sl=13/13/0 st=1/1/1/4 bar=7 div=6
__global__ void tree(const float *in, float *out)
{
    __shared__ float s[64];
    unsigned t = threadIdx.x;

    s[t] = in[t];
    __syncthreads();
    for (unsigned k = 32; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[0] = s[0];
}

// no shared memory: values are exchanged by shuffles.
// counts: ld=1/4/4/128 st=1/1/1/4 div=1
__global__ void shuffles(const float *in, float *out)
{
    float x = in[threadIdx.x];

    for (int k = 16; k > 0; k /= 2)
        x += __shfl_down_sync(~0u, x, k);
    if (threadIdx.x == 0)
        out[0] = x;
}

/* --- atomics in shared memory -------------------------------------------- */

// 32 lanes at one word.  counts: ss=1/1/0 sa=1/32 sl=1/1/0 st=1/4/4/128 bar=2
__global__ void shared_atomic_same(int *out)
{
    __shared__ int s[32];

    s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[0], 1);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

// 8 words, 4 lanes each, of float.
// counts: ss=1/1/0 sa=1/4 sl=1/1/0 st=1/4/4/128 bar=2
__global__ void shared_atomic_8(float *out)
{
    __shared__ float s[32];

    s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x % 8], 1.0f);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

// a barrier with a number, then one of two warps of three.
// counts: bar=2 ss=2/2/0 sl=3/3/0 st=3/12/12/384
__global__ void barriers_numbered(float *out)
{
    __shared__ float s[64];

    if (threadIdx.x < 64)
        s[threadIdx.x] = 1;
    asm volatile("bar.sync 1;" ::: "memory");
    if (threadIdx.x < 64)
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x % 64];
}

// a barrier of the grid; of three blocks one stores a second time.
// counts: st=8/32/32/1024 bb=4 bp=3
__global__ void barriers_of_grid(float *out)
{
    const unsigned i = blockIdx.x * 64 + threadIdx.x;

    out[i] = 1;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 1)
        out[i] = 2;
}

/* --- constant memory, device variables ----------------------------------- */

__constant__ float table[64];
__device__ __align__(128) float variable[64];

// the same word for all lanes.  counts: co=1/1 cr=0 st=1/4/4/128 sm=0
__global__ void constant_same(float *out, int i)
{
    out[threadIdx.x] = table[i];
}

// each lane its own: one after the other.
// counts: co=1/32 cr=31 st=1/4/4/128
__global__ void constant_each(float *out)
{
    out[threadIdx.x] = table[threadIdx.x];
}

// a __device__ variable is global memory.  counts: ld=1/4/4/128 st=2/8/8/256
__global__ void device_variable(float *out)
{
    out[threadIdx.x] = variable[threadIdx.x];
    variable[threadIdx.x + 32] = 1;
}

int main()
{
    float *in, *out;
    const dim3 rows(32, 8);
    const float zero = 0;
    void *arguments[] = {&out};

    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    cudaMemcpyToSymbol(table, &zero, sizeof zero);
    shared_1<<<1, 32>>>(out), shared_2<<<1, 32>>>(out);
    shared_3<<<1, 32>>>(out), shared_4<<<1, 32>>>(out);
    shared_6<<<1, 32>>>(out), shared_8<<<1, 32>>>(out);
    shared_16<<<1, 32>>>(out), shared_32<<<1, 32>>>(out);
    shared_33<<<1, 32>>>(out), shared_broadcast<<<1, 32>>>(out);
    shared_short<<<1, 32>>>(out), shared_bytes<<<1, 32>>>(out);
    shared_half_the_banks<<<1, 32>>>(out), shared_double<<<1, 32>>>(out);
    shared_double_2<<<1, 32>>>(out), shared_float4<<<1, 32>>>(out);
    shared_float4_2<<<1, 32>>>(out), shared_float4_same<<<1, 32>>>(out);
    shared_float4_of_8<<<1, 8>>>(out);
    tile<<<1, rows>>>(in, out), tile_padded<<<1, rows>>>(in, out);
    tile_padded_by_2<<<1, rows>>>(in, out);
    tile_swizzled<<<1, rows>>>(in, out);
    two_arrays<<<1, 32>>>(out), dynamic<<<1, 32, 256>>>(out);
    tree<<<1, 64>>>(in, out), shuffles<<<1, 32>>>(in, out);
    shared_atomic_same<<<1, 32>>>((int *)out);
    shared_atomic_8<<<1, 32>>>(out);
    barriers_numbered<<<1, 96>>>(out);
    cudaLaunchCooperativeKernel((const void *)barriers_of_grid, dim3(3),
                                dim3(64), arguments, 0, 0);
    constant_same<<<1, 32>>>(out, 5), constant_each<<<1, 32>>>(out);
    device_variable<<<1, 32>>>(out);
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
