/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 02: blur an image on the GPU.  The contract is in blur.h. */
#include "blur.h"
#include "grid.h"

/** The image as kernels see it. */
struct shape {
    size_t pitch;   /**< bytes a row: width * channels */
    int width;      /**< pixels a row */
    int height;     /**< rows */
    int channels;   /**< bytes a pixel */
    int radius;     /**< of the window, pixels */
};

/** Launch the kernel: blur d_in into d_out, device pointers, s not empty.
 *  @return cudaSuccess or the launch's error */
static cudaError_t launch(const unsigned char *d_in, unsigned char *d_out,
                          struct shape s);

/* Each line runs only while all before it went well; cudaFree(NULL) is
 * harmless, so one way out serves every failure. */
int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius)
{
    const cudaMemcpyKind up = cudaMemcpyHostToDevice;
    const cudaMemcpyKind down = cudaMemcpyDeviceToHost;
    struct shape s = {(size_t)width * channels, width, height, channels, radius};
    size_t bytes = s.pitch * height;
    unsigned char *d_in = NULL, *d_out = NULL;
    cudaError_t err = cudaSuccess;

    /* TODO 1: refuse what blur.h does not allow: cudaErrorInvalidValue */
    /* TODO 2: nothing to do for an empty image */
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_in, bytes));
    /* TODO 3: memory for the result as well; copy the image up */
    if (!err) err = launch(d_in, d_out, s);
    /* TODO 8: copy the result down; free its memory too */
    cudaFree(d_in);
    return err;
}

/** One thread, one pixel of the output, all its channels.  Device pointers;
 *  that they do not overlap is what `__restrict__` promises. */
__global__ void blur_image(const unsigned char *__restrict__ in,
                           unsigned char *__restrict__ out, struct shape s)
{
    /* TODO 4: x and y of this thread's pixel; return beyond the image */
    /* TODO 5: clip the window to the image, and count its pixels */
    /* TODO 6: for each channel: sum the window, divide, round, store */
}

static cudaError_t launch(const unsigned char *d_in, unsigned char *d_out,
                          struct shape s)
{
    /* TODO 7: launch on a 2-D grid, rounded up both ways */
    return cudaErrorNotSupported;
}
