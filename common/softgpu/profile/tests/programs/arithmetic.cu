/* SPDX-License-Identifier: MIT */
/* Kernels for arithmetic, with counters computed by hand as in counts.cu.  fp:
 * operations on half/float/double, and special ones; mm: of matrix
 * instructions; wc: warp calls; sj: joined shared loads, wavefronts that vector
 * loads save.  32 lanes each. */
#include <cuda_fp16.h>
#include <mma.h>

// a multiplication and an addition.
// counts: ld=2/8/8/256 st=1/4/4/128 fp=0/64/0/0
__global__ void saxpy(const float *in, float *out, float a)
{
    out[threadIdx.x] = a * in[threadIdx.x] + out[threadIdx.x];
}

// a fused one is two operations.  counts: ld=1/4/4/128 st=1/4/4/128 fp=0/64/0/0
__global__ void fused(const float *in, float *out, float a)
{
    out[threadIdx.x] = fmaf(a, in[threadIdx.x], 1.0f);
}

// two of double.  counts: ld=1/8/8/256 st=1/8/8/256 fp=0/0/64/0
__global__ void doubles(const double *in, double *out)
{
    double x = in[threadIdx.x];

    out[threadIdx.x] = x * x - 1;
}

// a square root and a division.  counts: ld=1/4/4/128 st=1/4/4/128 fp=0/0/0/64
__global__ void special(const float *in, float *out, float a)
{
    out[threadIdx.x] = sqrtf(in[threadIdx.x]) / a;
}

// a function of the library.  counts: ld=1/4/4/128 st=1/4/4/128 fp=0/0/0/32
__global__ void exponential(const float *in, float *out)
{
    out[threadIdx.x] = expf(in[threadIdx.x]);
}

// two halves a lane.  counts: ld=1/4/4/128 st=1/4/4/128 fp=64/0/0/0
__global__ void halves(const __half2 *in, __half2 *out)
{
    __half2 x = in[threadIdx.x];

    out[threadIdx.x] = __hmul2(x, x);
}

// 100 additions of 16 lanes.
// counts: ld=1/4/4/128 st=1/4/4/128 fp=0/1600/0/0 div=1
__global__ void half_the_lanes(const float *in, float *out, int n)
{
    float x = in[threadIdx.x];

    if (threadIdx.x < 16)
        for (int i = 0; i < n; i++)
            x += i;
    out[threadIdx.x] = x;
}

// five shuffles of 32 lanes with an addition each.
// counts: ld=1/4/4/128 st=1/4/4/128 fp=0/160/0/0 wc=5
__global__ void butterfly(const float *in, float *out)
{
    float x = in[threadIdx.x];

    for (int k = 16; k > 0; k /= 2)
        x += __shfl_xor_sync(~0u, x, k);
    out[threadIdx.x] = x;
}

// a product of 16x16 by 16x16: 16 * 16 * 16 multiplications and additions.
// A lane loads 8 halves of each matrix at once; how it stores is our fragments'
// layout, not a card's.  counts: ld=2/32/32/1024 st=? mm=8192
__global__ void matrices(const half *in, float *out)
{
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;

    wmma::fill_fragment(c, 0.0f);
    wmma::load_matrix_sync(a, in, 16);
    wmma::load_matrix_sync(b, in, 16);
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}

/* --- loads that nvcc merges into a vector load --------------------------- */

// lanes l and l ^ 1 load the same four words in a row.
// counts: ss=1/1/0 sl=4/4/0 st=1/4/4/128 bar=1 sj=3/2
__global__ void words_in_a_row(float *out)
{
    __shared__ float s[32];
    float sum = 0;

    s[threadIdx.x] = 1;
    __syncthreads();
    for (unsigned i = 0; i < 4; i++)
        sum += s[threadIdx.x / 2 % 8 * 4 + i];
    out[threadIdx.x] = sum;
}

// addresses are not shared: a vector load takes 4 wavefronts, not 4 times 4.
// counts: ss=4/16/12 sl=4/16/12 st=1/4/4/128 sj=3/12
__global__ void rows_of_their_own(float *out)
{
    __shared__ float s[4 * 32];
    float sum = 0;

    for (unsigned i = 0; i < 4; i++)
        s[threadIdx.x * 4 + i] = 1;
    for (unsigned i = 0; i < 4; i++)
        sum += s[threadIdx.x * 4 + i];
    out[threadIdx.x] = sum;
}

int main()
{
    void *in, *out;

    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    cudaMemset(out, 0, 1 << 16);
    saxpy<<<1, 32>>>((float *)in, (float *)out, 2);
    fused<<<1, 32>>>((float *)in, (float *)out, 2);
    doubles<<<1, 32>>>((double *)in, (double *)out);
    special<<<1, 32>>>((float *)in, (float *)out, 2);
    exponential<<<1, 32>>>((float *)in, (float *)out);
    halves<<<1, 32>>>((__half2 *)in, (__half2 *)out);
    half_the_lanes<<<1, 32>>>((float *)in, (float *)out, 100);
    butterfly<<<1, 32>>>((float *)in, (float *)out);
    matrices<<<1, 32>>>((half *)in, (float *)out);
    words_in_a_row<<<1, 32>>>((float *)out);
    rows_of_their_own<<<1, 32>>>((float *)out);
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
