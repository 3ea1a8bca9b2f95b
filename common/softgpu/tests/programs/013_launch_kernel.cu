/* SPDX-License-Identifier: MIT */
/* cudaLaunchKernel with pointers to arguments, of a template too. */
#include "check.h"

/* One element per thread; T and by come as pointers to arguments. */
template <typename T> __global__ void scale(T *a, T by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= by;
}

int main()
{
    double *a = managed<double>(5), by = 2.5;
    int n = 4;
    for (int i = 0; i < 5; i++)
        a[i] = i + 1;
    void *args[] = {&a, &by, &n};
    OK(cudaLaunchKernel((const void *)scale<double>, dim3(2), dim3(3), args, 0,
                        nullptr));
    by = 100;
    RUN();
    printf("%g %g %g %g %g\n", a[0], a[1], a[2], a[3], a[4]);
    return 0;
}
