/* SPDX-License-Identifier: MIT */
/* Symbol calls fail for variables that are not __device__ variables. */
#include "check.h"

__device__ int known;
int ordinary;

int main()
{
    int h = 1, *d;
    void *address;
    OK(cudaMalloc(&d, 4));
    SHOW(cudaMemcpyToSymbol(known, &h, 4));
    SHOW(cudaMemcpyToSymbol(d, &h, 4));
    SHOW(cudaMemcpyToSymbol(*d, &h, 4));
    SHOW(cudaMemcpyFromSymbol(&h, ordinary, 4));
    SHOW(cudaGetSymbolAddress(&address, h));
    SHOW(cudaGetLastError());
    OK(cudaFree(d));
    return 0;
}
