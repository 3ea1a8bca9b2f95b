/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: copies and fills.  Part of cuda_runtime_api.h.
 *
 *  Ranges of known allocations are checked: cudaErrorInvalidValue for a range
 *  that exceeds its allocation, for NULL, or for memory of another kind than
 *  the direction says; cudaErrorInvalidMemcpyDirection for an unknown
 *  direction; cudaErrorInvalidPitchValue for a pitch below the width.
 *
 *  Synchronous calls run all work that is enqueued before them and return when
 *  it is complete; fills and device-to-device copies are only enqueued.  Async
 *  calls are enqueued, with CUDA's exceptions: pageable host memory is staged
 *  before the call returns when it is the source, and the copy is synchronous
 *  when it is the destination.
 */
#ifndef SOFTGPU_API_COPY_H
#define SOFTGPU_API_COPY_H

#ifdef __cplusplus
extern "C" {
#endif

/** Copy bytes; the ranges must not overlap. */
cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes,
                       enum cudaMemcpyKind kind);
/** cudaMemcpy(), enqueued on a stream. */
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes,
                            enum cudaMemcpyKind kind,
                            cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy `height` rows of `width` bytes; the pitches are the bytes from one row
 *  to the next. */
cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
/** cudaMemcpy2D(), enqueued on a stream. */
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind,
                              cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy a box. */
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy);
/** cudaMemcpy3D(), enqueued on a stream. */
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy,
                              cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy between devices, after all earlier and before all later work of both.
 */
cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src,
                           int srcDevice, size_t bytes);
/** cudaMemcpyPeer(), enqueued on a stream. */
cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                int srcDevice, size_t bytes,
                                cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy a box between devices. */
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy);
/** cudaMemcpy3DPeer(), enqueued on a stream. */
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy,
                                  cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Fill device memory with the low byte of `value`; enqueued. */
cudaError_t cudaMemset(void *ptr, int value, size_t bytes);
/** cudaMemset(), enqueued on a stream. */
cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes,
                            cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Fill `height` rows of `width` bytes; `pitch` is the bytes from one row to
 *  the next. */
cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width,
                         size_t height);
/** cudaMemset2D(), enqueued on a stream. */
cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value,
                              size_t width, size_t height,
                              cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Fill a box. */
cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value,
                         struct cudaExtent extent);
/** cudaMemset3D(), enqueued on a stream. */
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value,
                              struct cudaExtent extent,
                              cudaStream_t stream SOFTGPU_DEFAULT(0));

/** A copy to or from a device variable. */
struct softgpu_symbol_copy {
    void *symbol;             /**< address of the variable */
    size_t size;              /**< its bytes */
    void *other;              /**< the other side; read if to is 1 */
    size_t bytes;             /**< how many */
    size_t offset;            /**< from the variable's first byte */
    enum cudaMemcpyKind kind; /**< direction */
    int to;                   /**< 1: to the symbol */
};
/** Copy now; cudaErrorInvalidValue beyond the end of the variable. */
cudaError_t softgpu_copy_symbol(const struct softgpu_symbol_copy *copy);
/** softgpu_copy_symbol(), enqueued on a stream. */
cudaError_t softgpu_copy_symbol_async(const struct softgpu_symbol_copy *copy,
                                      cudaStream_t stream);

#ifdef __cplusplus
}
#endif

/** A pitched pointer. */
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr,
                                                        size_t pitch,
                                                        size_t xsize,
                                                        size_t ysize)
{
    struct cudaPitchedPtr p = {ptr, pitch, xsize, ysize};
    return p;
}

/** An extent. */
static inline struct cudaExtent make_cudaExtent(size_t width, size_t height,
                                                size_t depth)
{
    struct cudaExtent e = {width, height, depth};
    return e;
}

/** A position. */
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p = {x, y, z};
    return p;
}

#endif
