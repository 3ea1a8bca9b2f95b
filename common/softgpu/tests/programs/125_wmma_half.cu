/* SPDX-License-Identifier: MIT */
/* wmma: 16x16x16 tiles of half with a float accumulator. */
#include "check.h"
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

/* One warp: c = 2 (a b + 0.5), with k columns of a in steps of 16. */
__global__ void multiply(const __half *a, const __half *b, float *c, int k)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.5f);
    for (int step = 0; step < k; step += 16) {
        wmma::load_matrix_sync(fa, a + step, k);
        wmma::load_matrix_sync(fb, b + step, k);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] *= 2;
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

int main()
{
    const int k = 32;
    __half *a = managed<__half>(16 * k), *b = managed<__half>(16 * k);
    float *c = managed<float>(256);
    for (int i = 0; i < 16 * k; i++) {
        a[i] = __float2half(i % 7 - 3);
        b[i] = __float2half(i % 5 - 2);
    }
    multiply<<<1, 32>>>(a, b, c, k);
    RUN();
    for (int m = 0; m < 16; m++)
        for (int n = 0; n < 16; n++) {
            float sum = 0.5f;
            for (int i = 0; i < k; i++)
                sum += ((m * k + i) % 7 - 3) * ((n * k + i) % 5 - 2);
            EXPECT(c[m * 16 + n] == 2 * sum);
        }
    printf("%g %g %g\n", c[0], c[1], c[255]);
    return 0;
}
