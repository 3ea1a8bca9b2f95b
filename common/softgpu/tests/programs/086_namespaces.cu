/* SPDX-License-Identifier: MIT */
/* Kernels in namespaces, unnamed ones and as static members' neighbors. */
#include "check.h"

namespace outer {
__device__ int bias = 5;
namespace inner {
/* In a named namespace, whose constant it reads. */
__global__ void fill(int *a) { a[0] = bias; }
} // namespace inner
template <class T> __global__ void fill(T *a) { a[1] = 2 * bias; }
} // namespace outer

namespace {
/* In an unnamed namespace. */
__global__ void hidden(int *a) { a[2] = 3; }
} // namespace

/* Static at file scope. */
static __global__ void local(int *a) { a[3] = 4; }

int main()
{
    int *a = managed<int>(4);
    outer::inner::fill<<<1, 1>>>(a);
    outer::fill<int><<<1, 1>>>(a);
    ::hidden<<<1, 1>>>(a);
    local<<<1, 1>>>(a);
    RUN();
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    return 0;
}
