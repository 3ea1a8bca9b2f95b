/* SPDX-License-Identifier: MIT */
/* Loads and stores of whole vectors, and their parts. */
#include "check.h"

/* Reverses float4 elements; stores double2 and uchar4 to the same array. */
__global__ void shuffle(const float4 *in, float4 *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    float4 v = in[i];
    v.w += v.x;
    out[n - 1 - i] = make_float4(v.w, v.z, v.y, v.x);
    reinterpret_cast<double2 *>(out + n)[i] = make_double2(v.x, i);
    ((uchar4 *)(out + 2 * n))[i] = make_uchar4(i, i + 1, i + 2, 255);
}

int main()
{
    int n = 8;
    float4 *in = managed<float4>(n), *out = managed<float4>(3 * n);
    for (int i = 0; i < n; i++)
        in[i] = make_float4(i, 10 * i, 100 * i, 1000 * i);
    shuffle<<<1, 32>>>(in, out, n);
    RUN();
    float4 last = out[0];
    double2 pair = ((double2 *)(out + n))[3];
    uchar4 bytes = ((uchar4 *)(out + 2 * n))[5];
    printf("%g %g %g %g\n", last.x, last.y, last.z, last.w);
    printf("%g %g %d %d %d\n", pair.x, pair.y, bytes.x, bytes.z, bytes.w);
    return 0;
}
