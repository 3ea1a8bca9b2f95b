/* SPDX-License-Identifier: MIT */
// exit: 139
// plain: the sanitizer has its own exit status
/* A host function of a stream runs on the host: it cannot access device
 * memory, though a kernel has just used it. */
#include "check.h"

/* Accesses the memory as a kernel may. */
__global__ void set(int *p) { *p = 1; }

static void CUDART_CB touch(void *p)
{
    printf("before\n");
    fflush(stdout);
    *(volatile int *)p = 2;
    printf("not reached\n");
}

int main()
{
    int *d;
    OK(cudaMalloc(&d, 16));
    set<<<1, 1>>>(d);
    OK(cudaLaunchHostFunc(0, touch, d));
    OK(cudaDeviceSynchronize());
    return 0;
}
