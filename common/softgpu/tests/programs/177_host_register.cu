/* SPDX-License-Identifier: MIT */
/* Ordinary memory registered with the device, and unregistered again. */
#include "check.h"

/* Exchanges element i with its opposite, i below n / 2. */
__global__ void reverse(int *a, int n)
{
    int i = threadIdx.x, t = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = t;
}

int main()
{
    int n = 1024, *a = (int *)malloc(n * sizeof(int)), *d;
    for (int i = 0; i < n; i++)
        a[i] = 3 * i;
    OK(cudaHostRegister(a, n * sizeof(int), cudaHostRegisterMapped));
    OK(cudaHostGetDevicePointer(&d, a, 0));
    reverse<<<1, n / 2>>>(d, n);
    RUN();
    OK(cudaHostUnregister(a));
    SHOW(cudaHostUnregister(a));
    for (int i = 0; i < n; i++)
        EXPECT(a[i] == 3 * (n - 1 - i));
    printf("%d\n", a[0]);
    free(a);
    return 0;
}
