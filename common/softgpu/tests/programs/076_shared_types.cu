/* SPDX-License-Identifier: MIT */
/* Shared scalars, structs, pointers and several names in one declaration. */
#include "check.h"

struct pair {
    int key;
    double value;
};

/* Fills arrays of structs and bytes, counts through a shared pointer. */
__global__ void mixed(double *out)
{
    __shared__ pair s_pairs[8], s_best;
    __shared__ int s_count, *s_where;
    __shared__ unsigned char s_bytes[3][5];
    int i = threadIdx.x;
    if (i < 8)
        s_pairs[i] = {i, (i * 5 % 8) * 1.5};
    if (i < 15)
        s_bytes[i / 5][i % 5] = 10 * i;
    if (i == 0) {
        s_count = 0;
        s_where = &s_count;
    }
    __syncthreads();
    atomicAdd(s_where, 2);
    if (i == 1) {
        s_best = s_pairs[0];
        for (int p = 1; p < 8; p++)
            if (s_pairs[p].value > s_best.value)
                s_best = s_pairs[p];
    }
    __syncthreads();
    if (i == 20) {
        out[0] = s_best.key;
        out[1] = s_best.value;
        out[2] = s_count;
        out[3] = s_bytes[2][4];
    }
}

int main()
{
    double *out = managed<double>(4);
    mixed<<<1, 32>>>(out);
    RUN();
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
    return 0;
}
