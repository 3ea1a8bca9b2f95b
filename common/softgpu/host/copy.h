/* SPDX-License-Identifier: MIT */
/** @file
 *  Making work of copies and fills, with all checks.
 */
#ifndef SOFTGPU_COPY_H
#define SOFTGPU_COPY_H

#include "stream.h"

/** A copy as the program asks for it. */
struct softgpu_copy_request {
    struct softgpu_box dst, src;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
    int dst_device, src_device; /**< for copies between devices, else -1 */
};

/** A request to copy bytes. */
struct softgpu_copy_request softgpu_plain_copy(void *dst, const void *src,
                                               size_t bytes,
                                               enum cudaMemcpyKind kind);
/** A request of a cudaMemcpy3DParms. */
cudaError_t softgpu_box_copy(struct softgpu_copy_request *request,
                             const struct cudaMemcpy3DParms *p);
/** Check a request; work of kind SOFTGPU_EMPTY when there is nothing to do.
 *  @param[out] at_once  1 when an asynchronous call must not return before */
cudaError_t softgpu_make_copy(struct softgpu_work *work,
                              const struct softgpu_copy_request *request,
                              int *at_once);
/** Do it on a stream: queued, or waited for. */
cudaError_t softgpu_copy(const struct softgpu_copy_request *request,
                         cudaStream_t stream, int asynchronous);
/** Check a fill and make work of it; width in bytes. */
cudaError_t softgpu_make_fill(struct softgpu_work *work,
                              const struct softgpu_fill_work *fill);

#endif
