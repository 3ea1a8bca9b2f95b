/* SPDX-License-Identifier: MIT */
/* Symbol calls fail for variables that are not __device__ variables, and for
 * names as strings, which is told. */
// stderr: this names a variable by a string, which CUDA 5 removed: pass the
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
    SHOW(cudaMemcpyToSymbol("known", &h, 4));
    SHOW(cudaMemcpyToSymbol("unknown", &h, 4));
    SHOW(cudaGetLastError());
    OK(cudaFree(d));
    return 0;
}
