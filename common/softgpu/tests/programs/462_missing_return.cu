/* SPDX-License-Identifier: MIT */
/* Functions that end without their return statement, of which nvcc only warns:
 * the value is not used, so that host and device code go on. */
// flags: -w
// plain: the sanitizer ends a program at such an end
#include "check.h"

/** Neither has a value. */
struct counter {
    int count;
    __host__ __device__ int add(int n) { count += n; }
};

__device__ __noinline__ float store_half(int x, float *out)
{
    if (x > 3)
        *out = x / 2.0f;
}

template <class T> __device__ T *keep(T *at, T value)
{
    if (*at < value)
        *at = value;
}

/* A thread halves its number, from 4 on, and adds one more than it. */
__global__ void halve(float *out, int *most)
{
    counter mine = {1};
    store_half(threadIdx.x, out + threadIdx.x);
    mine.add(threadIdx.x);
    if (threadIdx.x == 0)
        keep(most, mine.count + 4);
    out[threadIdx.x] += mine.count;
}

static bool show(const char *name, float value)
{
    if (value > 0)
        printf("%s %g\n", name, value);
}

int main()
{
    float *out = managed<float>(8);
    int *most = managed<int>(1);
    counter all = {0};
    halve<<<1, 8>>>(out, most);
    RUN();
    for (int i = 0; i < 8; i++)
        all.add((int)out[i]);
    show("first", out[0]);
    show("fourth", out[4]);
    show("last", out[7]);
    printf("%d %d\n", all.count, *most);
    return 0;
}
