/* SPDX-License-Identifier: MIT */
/* __constant__ memory: set by cudaMemcpyToSymbol, with an offset, and read
 * back; an initializer applies until then. */
#include "check.h"

__constant__ float c_filter[5] = {1, 2, 3, 4, 5};
__constant__ int c_size;

/* Makes the filter's values the digits of one number. */
__global__ void apply(float *out)
{
    float sum = 0;
    for (int k = 0; k < c_size; k++)
        sum = sum * 10 + c_filter[k];
    *out = sum;
}

int main()
{
    float *out = managed<float>(1), h_two[2] = {8, 9}, back[5];
    int size = 5;
    apply<<<1, 1>>>(out);
    RUN();
    printf("%g\n", *out);
    OK(cudaMemcpyToSymbol(c_size, &size, sizeof size));
    apply<<<1, 1>>>(out);
    RUN();
    printf("%g\n", *out);
    OK(cudaMemcpyToSymbol(c_filter, h_two, sizeof h_two, 2 * sizeof(float)));
    apply<<<1, 1>>>(out);
    RUN();
    OK(cudaMemcpyFromSymbol(back, c_filter, sizeof back));
    printf("%g %g %g\n", *out, back[2], back[4]);
    return 0;
}
