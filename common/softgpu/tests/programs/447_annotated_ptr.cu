/* SPDX-License-Identifier: MIT */
/* cuda::annotated_ptr: a pointer with hints, that works as the plain one. */
#include "check.h"

#include <cuda/annotated_ptr>

using property = cuda::access_property;

/* x[i] = x[i] + y[i] + y[i + 1], each through another kind of pointer. */
__global__ void add(int *x, const int *y, int n, property hint)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::annotated_ptr<int, property::persisting> out(x);
    cuda::annotated_ptr<const int, property> in(y, hint);
    cuda::annotated_ptr<const int, property::global> next(y + 1);
    if (i == 0)
        cuda::apply_access_property(y, n * sizeof *y, property::normal());
    if (i < n)
        out[i] = *(cuda::associate_access_property(x, hint) + i) + in[i]
                 + next[i];
}

int main()
{
    int *x = managed<int>(100), *y = managed<int>(101);
    for (int i = 0; i <= 100; i++)
        x[i % 100] = y[i] = i % 100;
    add<<<1, 128>>>(x, y, 100,
                    property(property::persisting(), 0.5f));
    RUN();
    printf("%d %d %d\n", x[0], x[1], x[99]);
    cuda::annotated_ptr<int, property::normal> host(x);
    cuda::annotated_ptr<const int, property::streaming> other = host;
    printf("%d %d\n", *host, other[1] + (host ? 1 : 0));
    return 0;
}
/* nvcc refuses access_property::streaming here, by CUDA 13.0's CCCL. */
