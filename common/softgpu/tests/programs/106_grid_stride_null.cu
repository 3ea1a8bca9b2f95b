/* SPDX-License-Identifier: MIT */
/* Grid-stride loops cover any size with any grid, also size 0. */
#include "check.h"

/* Adds a + 1 to b, as many elements per thread as there are. */
__global__ void add(int n, const int *a, int *b)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x * gridDim.x)
        b[i] += a[i] + 1;
}

int main()
{
    int n = 1001, *a = managed<int>(n), *b = managed<int>(n);
    for (int i = 0; i < n; i++)
        a[i] = i;
    add<<<1, 1>>>(n, a, b);
    add<<<7, 32>>>(n, a, b);
    add<<<50, 128>>>(n, a, b);
    add<<<4, 4>>>(0, nullptr, nullptr);
    RUN();
    for (int i = 0; i < n; i++)
        EXPECT(b[i] == 3 * (i + 1));
    printf("%d\n", b[1000]);
    return 0;
}
