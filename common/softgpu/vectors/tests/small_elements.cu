/* SPDX-License-Identifier: MIT */
/* Many accesses to elements of two bytes, in a loop, by some of the threads. */
enum { TERMS = 200 };

/** Each thread reads n * TERMS elements of 1024, in an order of its own. */
__global__ void reads(const unsigned short *in, float *out, int n)
{
    unsigned random = threadIdx.x;
    float sum = 0;
    for (unsigned i = 0; i < n + threadIdx.x % 2; i++)
#pragma unroll
        for (int k = 0; k < TERMS; k++) {
            random = random * 1664525 + 1013904223;
            sum += in[random >> 22];
        }
    out[threadIdx.x] = sum;
}

/** Each thread writes such elements. */
__global__ void writes(unsigned short *out, int n)
{
    unsigned random = threadIdx.x;
    for (unsigned i = 0; i < n + threadIdx.x % 2; i++)
#pragma unroll
        for (int k = 0; k < TERMS; k++) {
            random = random * 1664525 + 1013904223;
            out[random >> 22] = static_cast<unsigned short>(k);
        }
}
