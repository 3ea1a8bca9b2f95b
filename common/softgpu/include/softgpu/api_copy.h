/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: copies and fills.  Part of cuda_runtime_api.h.
 *
 *  Where both ranges are known they are checked: cudaErrorInvalidValue for a
 *  range that leaves its allocation, a NULL, or a side that does not fit the
 *  kind; cudaErrorInvalidMemcpyDirection for a kind that does not exist;
 *  cudaErrorInvalidPitchValue for a pitch below the width.  The plain calls
 *  run what is queued before them and have finished when they return, except
 *  fills and device-to-device copies, which are only queued.  The Async calls
 *  queue; but from plain host memory they copy it aside at once, and to plain
 *  host memory they run at once, as CUDA does.
 */
#ifndef SOFTGPU_API_COPY_H
#define SOFTGPU_API_COPY_H

#ifdef __cplusplus
extern "C" {
#endif

/** Copy bytes; both ranges must not overlap. */
cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes,
                       enum cudaMemcpyKind kind);
/** Queue it. */
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes,
                            enum cudaMemcpyKind kind,
                            cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy height rows of width bytes, dpitch and spitch bytes apart. */
cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
/** Queue it. */
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind,
                              cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy a box. */
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy);
/** Queue it. */
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy,
                              cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy between devices, after all work and before all later work of both. */
cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src,
                           int srcDevice, size_t bytes);
/** Queue it on a stream. */
cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                int srcDevice, size_t bytes,
                                cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy a box between devices. */
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy);
/** Queue it. */
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy,
                                  cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Fill bytes of device memory with the low byte of value; queued. */
cudaError_t cudaMemset(void *ptr, int value, size_t bytes);
/** Queue it on a stream. */
cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes,
                            cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Fill height rows of width bytes, pitch bytes apart. */
cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width,
                         size_t height);
/** Queue it on a stream. */
cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value,
                              size_t width, size_t height,
                              cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Fill a box. */
cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value,
                         struct cudaExtent extent);
/** Queue it on a stream. */
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value,
                              struct cudaExtent extent,
                              cudaStream_t stream SOFTGPU_DEFAULT(0));

/** One copy to or from a symbol of `size` bytes, at `offset`. */
struct softgpu_symbol_copy {
    void *symbol;             /**< address of the variable */
    size_t size;              /**< its bytes */
    void *other;              /**< the other side; read if to is 1 */
    size_t bytes;             /**< how many */
    size_t offset;            /**< from the variable's first byte */
    enum cudaMemcpyKind kind; /**< direction */
    int to;                   /**< 1: to the symbol */
};
/** Do it at once; cudaErrorInvalidValue past the symbol's end. */
cudaError_t softgpu_copy_symbol(const struct softgpu_symbol_copy *copy);
/** Queue it. */
cudaError_t softgpu_copy_symbol_async(const struct softgpu_symbol_copy *copy,
                                      cudaStream_t stream);

#ifdef __cplusplus
}
#endif

/** A pitched pointer of its four numbers. */
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr,
                                                        size_t pitch,
                                                        size_t xsize,
                                                        size_t ysize)
{
    struct cudaPitchedPtr p = {ptr, pitch, xsize, ysize};
    return p;
}

/** An extent of its three numbers. */
static inline struct cudaExtent make_cudaExtent(size_t width, size_t height,
                                                size_t depth)
{
    struct cudaExtent e = {width, height, depth};
    return e;
}

/** A position of its three numbers. */
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p = {x, y, z};
    return p;
}

#endif
