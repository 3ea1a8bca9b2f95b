/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 02: blur an image on the GPU.  The contract is in blur.h. */
#include "blur.h"
#include "check.h"

/** One thread, one pixel of the output, all its channels.  Device pointers.
 */
__global__ void blur_pixels(const unsigned char *in, unsigned char *out,
                            int width, int height, int channels, int radius)
{
    /* TODO 1: x and y of this thread's pixel; return beyond the image */
    /* TODO 2: clip the window to the image, and count its pixels */
    /* TODO 3: for each channel: sum the window, divide, round, store */
}

int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius)
{
    cudaError_t err = cudaSuccess;

    /* TODO 4: refuse what blur.h does not allow: cudaErrorInvalidValue */
    /* TODO 5: nothing to do for an empty image */
    /* TODO 6: allocate, copy in, launch on a 2-D grid, copy out, free */
    return err ? err : cudaErrorNotSupported; /* TODO 7: return err */
}
