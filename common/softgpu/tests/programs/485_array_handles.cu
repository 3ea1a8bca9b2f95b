/* SPDX-License-Identifier: MIT */
// stderr: this address is the handle of a cudaArray
// stderr: use cudaMemcpy2DToArray()
// stderr: 485_array_handles.cu:33
// stderr: 485_array_handles.cu:38
/* The handle of an array is no address: plain copies and fills are refused in
 * words, and leave the array and its handle as they are. */
#include "check.h"

enum { N = 4 };

static void show(cudaArray_t array)
{
    int x[N];
    OK(cudaMemcpy2DFromArray(x, sizeof x, array, 0, 0, sizeof x, 1,
                             cudaMemcpyDeviceToHost));
    printf("%d %d %d %d\n", x[0], x[1], x[2], x[3]);
}

int main()
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    const int from[N] = {1, 2, 3, 4};
    int other[N] = {5, 6, 7, 8}, *memory;
    cudaArray_t a;

    OK(cudaMallocArray(&a, &desc, N, 1));
    OK(cudaMalloc((void **)&memory, sizeof other));
    OK(cudaMemcpy2DToArray(a, 0, 0, from, sizeof from, sizeof from, 1,
                           cudaMemcpyHostToDevice));

    SHOW(cudaMemcpy(a, other, sizeof other, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(a, other, sizeof other, cudaMemcpyDefault));
    SHOW(cudaMemcpy(a, memory, sizeof other, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpyAsync(a, other, sizeof other, cudaMemcpyDefault));
    SHOW(cudaMemcpy2D(a, 16, other, 16, 16, 1, cudaMemcpyDefault));
    SHOW(cudaMemset(a, 0, sizeof other));
    SHOW(cudaMemcpy(other, a, sizeof other, cudaMemcpyDefault));
    show(a);
    printf("%d %d %d %d\n", other[0], other[1], other[2], other[3]);
    OK(cudaFreeArray(a));
    SHOW(cudaMemcpy(a, other, sizeof other, cudaMemcpyDefault));
    SHOW(cudaMemset(a, 0, sizeof other));
    OK(cudaFree(memory));
    return 0;
}
