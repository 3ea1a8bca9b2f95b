/* SPDX-License-Identifier: MIT */
/* cudaMemset writes bytes; cudaMemcpy within the device; default kind. */
#include "check.h"

int main()
{
    int h[8];
    unsigned char *d;
    OK(cudaMalloc(&d, 64));
    OK(cudaMemset(d, 0x5a, 64));
    OK(cudaMemset(d + 6, 300, 3));
    OK(cudaMemsetAsync(d + 31, 0xff, 1, 0));
    OK(cudaMemcpy(d + 32, d, 32, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(h, d + 32, 32, cudaMemcpyDefault));
    printf("%x %x %x %x\n", h[0], h[1], h[2], h[7]);
    OK(cudaFree(d));
    return 0;
}
