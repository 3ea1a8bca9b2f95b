/* SPDX-License-Identifier: MIT */
/* Kernels with name and parameters of a function of the C library. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__global__ void wait(int *p) { *p = 1; }            // at: 6:17 wait
__global__ void read(int, void *to, size_t n);      // at: 7:17 read
__global__ void free(void *p) { *(int *)p = 1; }    // at: 8:17 free
extern "C" __global__ void pause() {}               // at: 9:28 pause
