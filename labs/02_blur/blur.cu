/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 02: blur an image on the GPU.  The contract is in blur.h. */
#include "blur.h"
#include "grid.h"

/** The image, as kernels get it. */
struct image_shape {
    size_t pitch; /**< bytes per row: width * channels */
    int width;    /**< pixels per row */
    int height;   /**< rows */
    int channels; /**< bytes per pixel */
    int radius;   /**< of the window, pixels */
};

/** Launch the kernel: blur d_in into d_out, device pointers, s not empty.
 *  @return  cudaSuccess or the error of the launch */
static cudaError_t launch(const unsigned char *d_in, unsigned char *d_out,
                          struct image_shape s);

/* A line runs only if all calls before it succeeded. cudaFree(NULL) does
 * nothing, so one exit path is enough for all errors. */
int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius)
{
    const cudaMemcpyKind up = cudaMemcpyHostToDevice;
    const cudaMemcpyKind down = cudaMemcpyDeviceToHost;
    struct image_shape s = {(size_t)width * channels, width, height, channels,
                            radius};
    size_t bytes = s.pitch * height;
    unsigned char *d_in = NULL, *d_out = NULL;
    cudaError_t err = cudaSuccess;

    /* TODO 1: refuse invalid parameters: cudaErrorInvalidValue */
    /* TODO 2: return early for an empty image */
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_in, bytes));
    /* TODO 3: device memory for the result; copy the image to the device */
    if (!err) err = launch(d_in, d_out, s);
    /* TODO 8: copy the result back; free its device memory */
    cudaFree(d_in);
    return err;
}

/** One pixel of the output per thread, all its channels.  Device pointers;
 *  `__restrict__` promises that they do not overlap. */
__global__ void blur_image(const unsigned char *__restrict__ in,
                           unsigned char *__restrict__ out,
                           struct image_shape s)
{
    /* TODO 4: x and y of this thread's pixel; check both bounds */
    /* TODO 5: clip the window to the image; count its pixels */
    /* TODO 6: for each channel: sum the window, divide, round, store */
}

static cudaError_t launch(const unsigned char *d_in, unsigned char *d_out,
                          struct image_shape s)
{
    /* TODO 7: launch a 2-D grid, rounded up in both dimensions */
    return cudaErrorNotSupported;
}
