/* SPDX-License-Identifier: MIT */
/* wmma shapes 32x8x16 and 8x32x16, bfloat16 and tf32. */
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

/* One warp: an M x N tile of c from a by columns and b by rows. */
template <typename T, int M, int N>
__global__ void multiply(const T *a, const T *b, float *c)
{
    wmma::fragment<wmma::matrix_a, M, N, 16, T, wmma::col_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, 16, T, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, M, N, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, M);
    wmma::load_matrix_sync(fb, b, N);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major);
}

/* One warp: operands are rounded to tf32 in their fragments. */
__global__ void multiply_tf32(const float *a, const float *b, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32,
                   wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32,
                   wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 8);
    wmma::load_matrix_sync(fb, b, 16);
    for (int i = 0; i < fa.num_elements; i++)
        fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

template <typename T, int M, int N> static void check(T (*convert)(float))
{
    T *a = managed<T>(M * 16), *b = managed<T>(16 * N);
    float *c = managed<float>(M * N);
    for (int i = 0; i < M * 16; i++)
        a[i] = convert(i % 9 - 4);
    for (int i = 0; i < 16 * N; i++)
        b[i] = convert(i % 6 - 2);
    multiply<T, M, N><<<1, 32>>>(a, b, c);
    RUN();
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float sum = 0;
            for (int k = 0; k < 16; k++)
                sum += ((k * M + m) % 9 - 4) * ((k * N + n) % 6 - 2);
            EXPECT(c[m * N + n] == sum);
        }
    printf("%dx%d %g\n", M, N, c[M * N - 1]);
}

static __half to_half(float x) { return __float2half(x); }
static __nv_bfloat16 to_bfloat16(float x) { return __float2bfloat16(x); }

int main()
{
    check<__half, 32, 8>(to_half);
    check<__half, 8, 32>(to_half);
    check<__nv_bfloat16, 16, 16>(to_bfloat16);
    float *a = managed<float>(128), *b = managed<float>(128);
    float *c = managed<float>(256);
    for (int i = 0; i < 128; i++) {
        a[i] = i % 8 == 0;
        b[i] = i + 1;
    }
    a[127] = 0.5f;
    multiply_tf32<<<1, 32>>>(a, b, c);
    RUN();
    printf("%g %g %g\n", c[0], c[15], c[255]);
    return 0;
}
