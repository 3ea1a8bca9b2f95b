/* SPDX-License-Identifier: MIT */
/** @file
 *  What all steps of lab 02 share: the arithmetic of a window, and the host
 *  code.  The steps differ only in their kernel; each defines its `launch`.
 *
 *  An image is treated as rows of bytes: byte column x belongs to pixel x /
 *  channels, and its neighbors in the same channel are at x - channels and x +
 *  channels.  So a warp accesses 32 consecutive bytes for any number of
 *  channels, and one kernel handles gray and color images.
 */
#ifndef BLUR_HOST_H
#define BLUR_HOST_H

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

/** Positions of a window in one dimension: first .. last, inside the image. */
struct window_range {
    int first; /**< smallest position */
    int last;  /**< largest position */
};

/** The window around p, clipped to 0 .. size - 1.  No intermediate result
 *  overflows, even at the end of the largest image. */
__device__ static inline struct window_range window(int p, int size, int radius)
{
    struct window_range s;

    s.first = p < radius ? 0 : p - radius;
    s.last = size - 1 - p < radius ? size - 1 : p + radius;
    return s;
}

/** Number of pixels in the window xs by ys. */
__device__ static inline unsigned window_area(struct window_range xs,
                                              struct window_range ys)
{
    return (unsigned)((xs.last - xs.first + 1) * (ys.last - ys.first + 1));
}

/** sum / count, rounded to the nearest integer, halves up. */
__device__ static inline unsigned char mean(unsigned sum, unsigned count)
{
    return (unsigned char)((2 * sum + count) / (2 * count));
}

/** Is this shape valid according to blur.h? */
static inline bool shape_allowed(struct image_shape s)
{
    bool known = s.channels == 1 || s.channels == 3 || s.channels == 4;

    return known && s.width >= 0 && s.height >= 0 && s.radius >= 0 &&
           s.radius <= BLUR_RADIUS_MAX;
}

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

    if (!shape_allowed(s)) return cudaErrorInvalidValue;
    if (bytes == 0) return cudaSuccess;
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_in, bytes));
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_out, bytes));
    if (!err) err = CUDA_CHECK(cudaMemcpy(d_in, in, bytes, up));
    if (!err) err = launch(d_in, d_out, s);
    if (!err) err = CUDA_CHECK(cudaMemcpy(out, d_out, bytes, down));
    cudaFree(d_out);
    cudaFree(d_in);
    return err;
}

#endif
