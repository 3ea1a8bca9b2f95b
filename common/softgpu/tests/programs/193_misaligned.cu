/* SPDX-License-Identifier: MIT */
/* Accesses at addresses that are not multiples of their size. */
// plain: the sanitizer stops it first
// stderr: misaligned
// stderr: 193_misaligned.cu:55
#include "check.h"

/* Reads a float4 4 bytes after an aligned address. */
__global__ void load(const char *p, float4 *out)
{
    *out = *(const float4 *)(p + 4);
}

/* The same, of which each member is used: four loads of 4 bytes. */
__global__ void add_members(const float *p, float *out)
{
    const float4 x = reinterpret_cast<const float4 *>(p + 1)[threadIdx.x];
    out[threadIdx.x] = x.x + x.y + x.z + x.w;
}

struct pair {
    short a, b;
};

/* The same, through variables that casts initialize or are assigned to. */
__device__ void through_variables(char *p, int form)
{
    int *word = (int *)p, *same = (int *)p;
    auto pairs = reinterpret_cast<pair *>(p);
    const short *half, **halves, *unused[1];
    half = (const short *)p;
    halves = (const short **)&half, unused[0] = half;
    const pair *one = (const pair *)p, *two = (const pair *)p + 1;
    int **words = (int **)&word;
    if (form == 4)
        *word = *same + 1;
    else if (form == 5)
        pairs[1].a = 3;
    else if (form == 6)
        pairs->b = half[1];
    else
        p[8] = (char)*half;
    for (pair *last = pairs + 1; last > pairs; last--)
        half = &half[one < two];
    for (int pairs[2] = {form, **words != 0}; form > 99; form = pairs[1])
        *halves = unused[0];
}

/* Accesses an int, a short or a double through a cast pointer.  Byte `at` of
 * an aligned address. */
__global__ void narrow(char *p, int at, int form)
{
    reinterpret_cast<int *>(p)[15] = form;
    if (form == 0)
        *(int *)(p + at) = 42;
    else if (form == 1)
        ((volatile short *)&p[at])[2] = 3;
    else if (form == 2)
        *reinterpret_cast<double *>(p + at) += 1;
    else if (form == 3)
        p[0] = (char)((const int2 *)(p + at))->y;
    else
        through_variables(p + at, form);
}

enum { forms = 8 };

int main()
{
    char *p = managed<char>(64);
    float4 *out = managed<float4>(1);
    for (int form = 0; form < forms; form++) {
        narrow<<<1, 1>>>(p, form == 2 ? 24 : 8, form);
        OK(cudaDeviceSynchronize());
    }
    EXPECT(*(int *)(p + 8) == 43 && p[12] == 3 && p[0] == p[12]);
    load<<<1, 1>>>(p, out);
    SHOW(cudaDeviceSynchronize());
    OK(cudaDeviceReset());
    OK(cudaMalloc(&p, 256));
    add_members<<<1, 8>>>((const float *)p, (float *)p + 36);
    SHOW(cudaDeviceSynchronize());
    for (int form = 0; form < forms; form++) {
        OK(cudaDeviceReset());
        OK(cudaMalloc(&p, 64));
        narrow<<<1, 1>>>(p, form == 2 || form == 3 ? 4 : form == 4 ? 2 : 3,
                         form);
        SHOW(cudaDeviceSynchronize());
    }
    return 0;
}
