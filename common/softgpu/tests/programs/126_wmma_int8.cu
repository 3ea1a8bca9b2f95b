/* SPDX-License-Identifier: MIT */
/* wmma with signed bytes: 16x16x16 into int, column-major output. */
#include "check.h"
#include <mma.h>

using namespace nvcuda;

/* One warp: c = a b + 1, stored by columns. */
__global__ void multiply(const signed char *a, const signed char *b, int *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
    wmma::fill_fragment(fc, 1);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_col_major);
}

int main()
{
    signed char *a = managed<signed char>(256), *b = managed<signed char>(256);
    int *c = managed<int>(256);
    for (int i = 0; i < 256; i++) {
        a[i] = i - 128;
        b[i] = 127 - i * 3 % 256;
    }
    multiply<<<1, 32>>>(a, b, c);
    RUN();
    for (int m = 0; m < 16; m++)
        for (int n = 0; n < 16; n++) {
            int sum = 1;
            for (int k = 0; k < 16; k++)
                sum += a[m * 16 + k] * b[k * 16 + n];
            EXPECT(c[n * 16 + m] == sum);
        }
    printf("%d %d %d\n", c[0], c[16], c[255]);
    return 0;
}
