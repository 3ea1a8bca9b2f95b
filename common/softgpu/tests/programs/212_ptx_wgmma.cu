/* SPDX-License-Identifier: MIT */
/* ptx.h: wgmma of both types, widths and ways that b lies; two groups under
 * way; every thread's registers against the layout of the PTX ISA.  Tiles are
 * laid by the canonical layouts of CUTLASS (mma_traits_sm90_gmma.hpp, 128-byte
 * swizzle: K-major ((8,m),(T,2)):((8T,SBO),(1,T)), MN-major ((T,8,m),(8,k)):
 * ((1,T,LBO),(8T,SBO)), T = 8 elements), at the strides a descriptor may say;
 * one that says something else must not give the product. */
#include "check.h"
#include "../../../include/ptx.h"

enum { K = 64, A_BYTES = 16 << 10, B_BYTES = 32 << 10 };

/* Bytes from eight rows to the next eight, and from 64 columns to the next. */
struct strides {
    unsigned a, b, leading;
};

/* Rows of 128 bytes along k: element [row][k]. */
__host__ __device__ unsigned along_k(unsigned row, unsigned k, unsigned stride)
{
    return row / 8 * stride + row % 8 * 128 + (k / 8 ^ row % 8) * 16
           + k % 8 * 2;
}

/* Rows along n: element [k][column]. */
__host__ __device__ unsigned along_n(unsigned k, unsigned column,
                                     unsigned stride, unsigned leading)
{
    return column / 64 * leading + along_k(k, column % 64, stride);
}

/* d = a b twice over: first without, then with what was in d.  a is 64 x 64,
 * b is 64 x n by rows or n x 64; they lie by `is`, the descriptors say
 * `said`, with `flip` put over b's. */
template <typename T, int n, bool by_rows>
__global__ void multiply(const T *a, const T *b, float *d, struct strides is,
                         struct strides said, uint64_t flip)
{
#if PTX_HAS_WGMMA
    __shared__ __align__(1024) unsigned char s_a[A_BYTES], s_b[B_BYTES];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    float sum[n / 2];
    for (int i = t; i < A_BYTES / 4; i += 128)
        ((unsigned *)s_a)[i] = 0;
    for (int i = t; i < B_BYTES / 4; i += 128)
        ((unsigned *)s_b)[i] = 0;
    __syncthreads();
    for (int i = t; i < 64 * K; i += 128)
        *(T *)&s_a[along_k(i / K, i % K, is.a)] = a[i];
    for (int i = t; i < n * K; i += 128)
        *(T *)&s_b[by_rows ? along_n(i / n, i % n, is.b, is.leading)
                           : along_k(i / K, i % K, is.b)] = b[i];
    ptx_fence_proxy_async();
    __syncthreads();
    const uint64_t ta = ptx_wgmma_descriptor(s_a, 16, said.a);
    const uint64_t tb = ptx_wgmma_descriptor(s_b, said.leading, said.b) ^ flip;
    ptx_wgmma_fence();
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < K / 16; k++) /* 32 bytes on, or 16 rows */
            ptx_wgmma<T, n, by_rows>(sum, ta + 2 * k,
                                     tb + (by_rows ? said.b / 8 : 2) * k,
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

/* How many of d are not the product. */
template <typename T, int n, bool by_rows>
int count_wrong(struct strides is, struct strides said, uint64_t flip)
{
    T *a = managed<T>(64 * K), *b = managed<T>(K * n);
    float *d = managed<float>(64 * n);
    int wrong = 0;
    for (int i = 0; i < 64 * K; i++)
        a[i] = T((float)(i * 37 % 64) / 8 - 4);
    for (int i = 0; i < K * n; i++)
        b[i] = T((float)(i * 29 % 31) / 4 - 3);
    multiply<T, n, by_rows><<<1, 128>>>(a, b, d, is, said, flip);
    RUN();
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < n; j++) {
            double want = 0;
            for (int k = 0; k < K; k++)
                want += 2 * (double)(float)a[i * K + k]
                        * (double)(float)b[by_rows ? k * n + j : j * K + k];
            wrong += d[i * n + j] != want; /* all sums are exact */
        }
    return wrong;
}

template <typename T, int n, bool by_rows>
int try_multiply(struct strides is, struct strides said)
{
    return count_wrong<T, n, by_rows>(is, said, 0);
}

/* The bits, as the table "Matrix descriptor" of the PTX ISA names them. */
__global__ void describe(uint64_t *out)
{
    __shared__ __align__(1024) unsigned char s_tile[4096];
    const uint64_t bits = ptx_wgmma_descriptor(s_tile + 2048, 8192, 3072);
    out[0] = bits & 0x3fff;       /* 13-0: start address, by 16 */
    out[1] = ptx_shared_address(s_tile + 2048) / 16;
    out[2] = bits >> 16 & 0x3fff; /* 29-16: leading dimension, by 16 */
    out[3] = bits >> 32 & 0x3fff; /* 45-32: stride dimension, by 16 */
    out[4] = bits >> 49 & 7;      /* 51-49: base offset */
    out[5] = bits >> 62;          /* 63-62: 1 is swizzle of 128 bytes */
    out[6] = bits >> 14 & 3 | bits >> 30 & 3 | bits >> 46 & 7
             | bits >> 52 & 0x3ff; /* the rest is 0 */
}

int main()
{
    const struct strides tight = {1024, 1024, 8 * 1024};
    const struct strides wide = {2048, 2048, 16 * 1024};
    struct strides said = wide;
    uint64_t *bits = managed<uint64_t>(7);
    describe<<<1, 1>>>(bits);
    RUN();
    EXPECT(bits[0] == bits[1] && bits[2] == 512 && bits[3] == 192);
    EXPECT(bits[4] == 0 && bits[5] == 1 && bits[6] == 0);

    EXPECT((try_multiply<__half, 128, false>(tight, tight) == 0));
    EXPECT((try_multiply<__half, 256, true>(tight, tight) == 0));
    EXPECT((try_multiply<__nv_bfloat16, 128, true>(tight, tight) == 0));
    EXPECT((try_multiply<__nv_bfloat16, 256, false>(tight, tight) == 0));
    EXPECT((try_multiply<__half, 128, true>(wide, wide) == 0));
    EXPECT((try_multiply<__half, 128, false>(wide, wide) == 0));

    said.a = 1024;
    EXPECT((try_multiply<__half, 128, true>(wide, said) > 0));
    said = wide, said.b = 1024;
    EXPECT((try_multiply<__half, 128, true>(wide, said) > 0));
    EXPECT((try_multiply<__half, 128, false>(wide, said) > 0));
    said = wide, said.leading = 8 * 1024;
    EXPECT((try_multiply<__half, 128, true>(wide, said) > 0));
    /* rows along k: the leading dimension is not used */
    EXPECT((try_multiply<__half, 128, false>(wide, said) == 0));
    /* 16 bytes further on */
    EXPECT((count_wrong<__half, 128, true>(tight, tight, 1) > 0));
    printf("done\n");
    return 0;
}
