/* SPDX-License-Identifier: MIT */
/* A cooperative launch: blocks exchange values at ten grid barriers. */
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* A thread's value moves 33 places per step, through b, between barriers. */
__global__ void ring(int *a, int *b)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = grid.size();
    for (int step = 0; step < 10; step++) {
        b[(i + 33) % n] = a[i] + 1;
        grid.sync();
        a[i] = b[i];
        grid.sync();
    }
}

int main()
{
    int n = 128, *a = managed<int>(n), *b = managed<int>(n);
    for (int i = 0; i < n; i++)
        a[i] = 100 * i;
    void *args[] = {&a, &b};
    OK(cudaLaunchCooperativeKernel(ring, dim3(4), dim3(32), args, 0, 0));
    RUN();
    for (int i = 0; i < n; i++)
        EXPECT(a[(i + 330) % n] == 100 * i + 10);
    printf("%d %d\n", a[0], a[74]);
    return 0;
}
