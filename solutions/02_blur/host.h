/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  What every step of lab 02 shares: the window's arithmetic, and the host's
 *  half.  The steps differ in their kernel; each defines its `launch`.
 *
 *  An image is treated as rows of bytes: byte column x belongs to pixel
 *  x / channels, and its neighbours of the same channel lie at x - channels
 *  and x + channels.  So a warp touches 32 bytes in a row, whatever the
 *  channels, and one kernel serves gray and colour.
 */
#ifndef BLUR_HOST_H
#define BLUR_HOST_H

// END SOLUTION
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

// BEGIN SOLUTION
/** Pixels of one axis: first .. last, both inside the image. */
struct span {
    int first; /**< lowest position */
    int last;  /**< highest position */
};

/** The window around p, clipped to 0 .. size - 1; written so that no sum
 *  passes 2^31 even at the end of the largest image. */
__device__ static inline struct span window(int p, int size, int radius)
{
    struct span s;

    s.first = p < radius ? 0 : p - radius;
    s.last = size - 1 - p < radius ? size - 1 : p + radius;
    return s;
}

/** Pixels in the window that spans xs by ys. */
__device__ static inline unsigned area(struct span xs, struct span ys)
{
    return (unsigned)((xs.last - xs.first + 1) * (ys.last - ys.first + 1));
}

/** sum / count to the nearest integer, halves upward. */
__device__ static inline unsigned char mean(unsigned sum, unsigned count)
{
    return (unsigned char)((2 * sum + count) / (2 * count));
}

/** Does blur.h allow this shape? */
static inline bool shape_allowed(struct shape s)
{
    bool known = s.channels == 1 || s.channels == 3 || s.channels == 4;

    return known && s.width >= 0 && s.height >= 0 && s.radius >= 0 &&
           s.radius <= BLUR_RADIUS_MAX;
}

// END SOLUTION
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

// BEGIN SOLUTION
    if (!shape_allowed(s)) return cudaErrorInvalidValue;
    if (bytes == 0) return cudaSuccess;
// HANDOUT
//     /* TODO 1: refuse what blur.h does not allow: cudaErrorInvalidValue */
//     /* TODO 2: nothing to do for an empty image */
// END SOLUTION
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_in, bytes));
// BEGIN SOLUTION
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_out, bytes));
    if (!err) err = CUDA_CHECK(cudaMemcpy(d_in, in, bytes, up));
// HANDOUT
//     /* TODO 3: memory for the result as well; copy the image up */
// END SOLUTION
    if (!err) err = launch(d_in, d_out, s);
// BEGIN SOLUTION
    if (!err) err = CUDA_CHECK(cudaMemcpy(out, d_out, bytes, down));
    cudaFree(d_out);
// HANDOUT
//     /* TODO 8: copy the result down; free its memory too */
// END SOLUTION
    cudaFree(d_in);
    return err;
}
// BEGIN SOLUTION

#endif
// END SOLUTION
