/* SPDX-License-Identifier: MIT */
/* ptx.h: wgmma of both types, widths and ways that b lies; two groups under
 * way; every thread's registers against the layout of the PTX ISA. */
#include "check.h"
#include "../../../ptx.h"

enum { K = 64 };

/* d = a b twice over: first without, then with what was in d.  a is 64 x 64,
 * b is 64 x n by rows or n x 64, both put into shared memory by hand. */
template <typename T, int n, bool by_rows>
__global__ void multiply(const T *a, const T *b, float *d)
{
#if PTX_HAS_WGMMA
    __shared__ __align__(1024) unsigned char s_a[64 * 128];
    __shared__ __align__(1024) unsigned char s_b[n * 128];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    float sum[n / 2];
    for (int i = t; i < 64 * K; i += 128)
        *(T *)&s_a[ptx_swizzle_128(2 * i)] = a[i];
    for (int i = t; i < n * K; i += 128) /* boxes of 64 columns */
        *(T *)&s_b[by_rows ? i % n / 64 * (K * 128)
                                 + ptx_swizzle_128(i / n * 128 + i % 64 * 2)
                           : ptx_swizzle_128(2 * i)] = b[i];
    ptx_shared_fence();
    __syncthreads();
    const uint64_t ta = ptx_wgmma_tile(s_a, 16, 1024);
    const uint64_t tb = ptx_wgmma_tile(s_b, K * 128, 1024);
    ptx_wgmma_fence();
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < K / 16; k++)
            ptx_wgmma<T, n, by_rows>(sum, ta + 2 * k,
                                     tb + (by_rows ? 128 : 2) * k,
                                     round > 0 || k > 0);
        ptx_wgmma_commit();
    }
    ptx_wgmma_wait<1>();
    ptx_wgmma_wait<0>();
    for (int i = 0; i < n / 2; i++)
        d[(16 * warp + lane / 4 + (i & 2 ? 8 : 0)) * n + i / 4 * 8
          + 2 * (lane % 4) + (i & 1)] = sum[i];
#endif
}

template <typename T, int n, bool by_rows>
void try_multiply()
{
    T *a = managed<T>(64 * K), *b = managed<T>(K * n);
    float *d = managed<float>(64 * n);
    for (int i = 0; i < 64 * K; i++)
        a[i] = T((float)(i * 37 % 64) / 8 - 4);
    for (int i = 0; i < K * n; i++)
        b[i] = T((float)(i * 29 % 31) / 4 - 3);
    multiply<T, n, by_rows><<<1, 128>>>(a, b, d);
    RUN();
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < n; j++) {
            double want = 0;
            for (int k = 0; k < K; k++)
                want += 2 * (double)(float)a[i * K + k]
                        * (double)(float)b[by_rows ? k * n + j : j * K + k];
            EXPECT(d[i * n + j] == want); /* all sums are exact */
        }
}

int main()
{
    try_multiply<__half, 128, false>();
    try_multiply<__half, 256, true>();
    try_multiply<__nv_bfloat16, 128, true>();
    try_multiply<__nv_bfloat16, 256, false>();
    printf("done\n");
    return 0;
}
