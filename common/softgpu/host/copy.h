/* SPDX-License-Identifier: MIT */
/** @file
 *  Commands for copies and fills, with all checks of their arguments.
 */
#ifndef SOFTGPU_COPY_H
#define SOFTGPU_COPY_H

#include "stream.h"

/** A copy as the program requests it. */
struct softgpu_copy_request {
    struct softgpu_box dst, src;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
    int dst_device, src_device; /**< for copies between devices, else -1 */
};

/** A request for a copy of contiguous bytes. */
struct softgpu_copy_request softgpu_linear_copy(void *dst, const void *src,
                                                size_t bytes,
                                                enum cudaMemcpyKind kind);
/** A request from a cudaMemcpy3DParms. */
cudaError_t softgpu_box_copy(struct softgpu_copy_request *request,
                             const struct cudaMemcpy3DParms *p);
/** Check a request and make a command of it, SOFTGPU_EMPTY if it has no bytes.
 *  @param[out] must_wait  1 if an asynchronous call, too, must wait for the
 *                         copy (to pageable memory) */
cudaError_t softgpu_make_copy(struct softgpu_command *command,
                              const struct softgpu_copy_request *request,
                              int *must_wait);
/** Queue a copy on a stream, and wait for it if the call is synchronous. */
cudaError_t softgpu_copy(const struct softgpu_copy_request *request,
                         cudaStream_t stream, int asynchronous);
/** Check a fill and make a command of it. */
cudaError_t softgpu_make_fill(struct softgpu_command *command,
                              const struct softgpu_fill_command *fill);

#endif
