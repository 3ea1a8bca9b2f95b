/* SPDX-License-Identifier: MIT */
/* ptx.h: cp.async with zero-fill, ldmatrix both ways, mma of both types; every
 * lane's registers against the layouts of the PTX ISA. */
#include "check.h"
#include "../../../include/ptx.h"

/* Lane t copies t % 17 bytes of 16, then reads them back. */
__global__ void fill(const unsigned char *in, unsigned char *out)
{
    __shared__ __align__(16) unsigned char s_a[32][16];
    int t = threadIdx.x;
    for (int i = 0; i < 16; i++)
        s_a[t][i] = 99;
    ptx_cp_async_16(s_a[t], in + 16 * t, t % 17);
    ptx_cp_async_commit();
    ptx_cp_async_16(s_a[t], in, 0); /* of the next group: not waited for */
    ptx_cp_async_commit();
    ptx_cp_async_wait<1>();
    for (int i = 0; i < 16; i++)
        out[16 * t + i] = s_a[t][i];
    ptx_cp_async_wait<0>();
}

/* s_a[row][column] = 100 * row + column: 32 rows of 8. */
template <int count>
__global__ void load(unsigned *out)
{
    __shared__ __align__(16) unsigned short s_a[32][8];
    int t = threadIdx.x;
    unsigned r[4] = {0, 0, 0, 0}, q[4] = {0, 0, 0, 0};
    for (int i = 0; i < 8; i++)
        s_a[t][i] = 100 * t + i;
    __syncwarp();
    ptx_ldmatrix<count>(r, s_a[t % (8 * count)]);
    ptx_ldmatrix_trans<count>(q, s_a[t % (8 * count)]);
    for (int i = 0; i < 4; i++) {
        out[(t * 4 + i) * 2] = r[i];
        out[(t * 4 + i) * 2 + 1] = q[i];
    }
}

template <int count>
void try_load(unsigned *out)
{
    load<count><<<1, 32>>>(out);
    RUN();
    for (int t = 0; t < 32; t++)
        for (int i = 0; i < 4; i++) {
            unsigned g = 8 * i + t / 4, c = 2 * (t % 4);
            unsigned plain = 100 * g + c, down = 100 * (8 * i + c) + t / 4;
            bool is = i < count;
            EXPECT(out[(t * 4 + i) * 2]
                   == (is ? plain | (plain + 1) << 16 : 0));
            EXPECT(out[(t * 4 + i) * 2 + 1]
                   == (is ? down | (down + 100) << 16 : 0));
        }
}

/* Each lane picks its registers itself. */
template <typename T>
__global__ void multiply(const T *a, const T *b, float *d)
{
    int g = threadIdx.x / 4, t = 2 * (threadIdx.x % 4);
    T x[8], y[4];
    float sum[4];
    unsigned ra[4], rb[2];
    for (int i = 0; i < 8; i++)
        x[i] = a[(g + (i & 2 ? 8 : 0)) * 16 + t + (i & 1) + (i & 4 ? 8 : 0)];
    for (int i = 0; i < 4; i++)
        y[i] = b[(t + (i & 1) + (i & 2 ? 8 : 0)) * 8 + g];
    for (int i = 0; i < 4; i++)
        sum[i] = d[(g + (i & 2 ? 8 : 0)) * 8 + t + (i & 1)];
    memcpy(ra, x, sizeof ra);
    memcpy(rb, y, sizeof rb);
    ptx_mma<T>(sum, ra, rb);
    for (int i = 0; i < 4; i++)
        d[(g + (i & 2 ? 8 : 0)) * 8 + t + (i & 1)] = sum[i];
}

template <typename T>
void try_multiply()
{
    T *a = managed<T>(256), *b = managed<T>(128);
    float *d = managed<float>(128);
    double want[128];
    for (int i = 0; i < 256; i++)
        a[i] = T((float)(i * 37 % 64) / 8 - 4);
    for (int i = 0; i < 128; i++) {
        b[i] = T((float)(i * 29 % 32) / 4 - 3);
        d[i] = (float)(i % 5);
    }
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            want[i * 8 + j] = d[i * 8 + j];
            for (int k = 0; k < 16; k++)
                want[i * 8 + j] += (double)(float)a[i * 16 + k]
                                   * (double)(float)b[k * 8 + j];
        }
    multiply<T><<<1, 32>>>(a, b, d);
    RUN();
    for (int i = 0; i < 128; i++)
        EXPECT(d[i] == want[i]); /* all sums are exact */
}

int main()
{
    unsigned char *in = managed<unsigned char>(512);
    unsigned char *out = managed<unsigned char>(512);
    unsigned *words = managed<unsigned>(256);
    for (int i = 0; i < 512; i++)
        in[i] = 1 + i % 97;
    fill<<<1, 32>>>(in, out);
    RUN();
    for (int i = 0; i < 512; i++)
        EXPECT(out[i] == (i % 16 < i / 16 % 17 ? in[i] : 0));
    try_load<1>(words);
    try_load<2>(words);
    try_load<4>(words);
    try_multiply<__half>();
    try_multiply<__nv_bfloat16>();
    printf("done\n");
    return 0;
}
