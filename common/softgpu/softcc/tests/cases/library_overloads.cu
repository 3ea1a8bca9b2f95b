/* SPDX-License-Identifier: MIT */
/* Kernels with the name of a function of the C library, but with parameters
 * or a scope of their own. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
__global__ void wait(float *p) { *p = 1; } /* wait(int *) */
__global__ void read(int *p) { *p = 1; } /* read(int, void *, size_t) */
__global__ void index(int *p) { *p = 1; } /* index(const char *, int) */
__global__ void time(int *p) { *p = 1; } /* time(time_t *) */
__global__ void send(int *p, int n) { *p = n; } /* it has four parameters */
namespace own {
__global__ void wait(int *p) { *p = 1; } /* the same ones, its own scope */
}
int main()
{
    wait<<<1, 1>>>((float *)nullptr);
    // expect: (softgpu::push_config(1, 1) ? (void)0 : own::wait(nullptr))
    own::wait<<<1, 1>>>(nullptr);
    read<<<1, 1>>>(nullptr);
    index<<<1, 1>>>(nullptr);
    time<<<1, 1>>>((int *)nullptr);
    send<<<1, 1>>>(nullptr, 2);
}
