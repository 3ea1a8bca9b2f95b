/* SPDX-License-Identifier: MIT */
/* The address and size of a symbol; copying through the address. */
#include "check.h"

__device__ int numbers[6];
__constant__ short c_small[3];

/* Adds up the variables. */
__global__ void sum(int *out)
{
    *out = 0;
    for (int v : numbers)
        *out += v;
    *out += c_small[1];
}

int main()
{
    void *address;
    size_t bytes;
    int h[6] = {1, 20, 300, 4000, 50000, 600000}, *out = managed<int>(1);
    short small[3] = {1, 2, 3};
    OK(cudaGetSymbolAddress(&address, numbers));
    OK(cudaGetSymbolSize(&bytes, numbers));
    OK(cudaMemcpy(address, h, bytes, cudaMemcpyHostToDevice));
    printf("%zu\n", bytes);
    OK(cudaGetSymbolSize(&bytes, c_small));
    OK(cudaGetSymbolAddress(&address, c_small));
    OK(cudaMemcpy(address, small, bytes, cudaMemcpyDefault));
    printf("%zu\n", bytes);
    sum<<<1, 1>>>(out);
    RUN();
    printf("%d\n", *out);
    return 0;
}
