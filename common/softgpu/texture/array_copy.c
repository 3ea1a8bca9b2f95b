/* SPDX-License-Identifier: MIT */
/** @file
 *  Copies to and from arrays: requests for host/copy.c, whose region on one or
 *  both sides is that of an array.
 */
#include "common/softgpu/host/array.h"
#include "common/softgpu/host/call.h"
#include "common/softgpu/host/stream.h"

/* One side of a copy in rows: memory, or an array with an offset. */
struct side {
    cudaArray_const_t array; /* NULL: memory */
    size_t x, y;             /* offset in the array: bytes, rows */
    char *ptr;
    size_t pitch;
};

/* The region of a side.  Widths of arrays are checked in bytes. */
static cudaError_t place(struct softgpu_box *to, const struct side *s,
                         size_t width, size_t height)
{
    if (!s->array) {
        *to = (struct softgpu_box){s->ptr, s->pitch, s->pitch * height};
        return s->pitch < width ? cudaErrorInvalidPitchValue : cudaSuccess;
    }
    const struct cudaArray *a = softgpu_array(s->array);
    if (!a)
        return cudaErrorInvalidResourceHandle;
    const size_t row = a->image.pitch, rows = (size_t)a->image.height;
    if (s->x > row || s->y > rows || width > row - s->x
        || height > rows - s->y)
        return cudaErrorInvalidValue;
    *to = (struct softgpu_box){a->image.base + s->y * row + s->x, row,
                               a->image.slice};
    return cudaSuccess;
}

/* Copy rows between two sides. */
static cudaError_t copy_rows(const struct side *dst, const struct side *src,
                             struct cudaExtent e, enum cudaMemcpyKind kind,
                             cudaStream_t stream, int asynchronous)
{
    struct softgpu_copy_request r = {.extent = e, .kind = kind,
                                     .dst_device = -1, .src_device = -1};
    cudaError_t error = place(&r.dst, dst, e.width, e.height);
    if (!error)
        error = place(&r.src, src, e.width, e.height);
    return error ? error : softgpu_copy(&r, stream, asynchronous);
}

/* Copy bytes that follow each other in both sides, over the ends of rows. */
static cudaError_t copy_bytes(struct side dst, struct side src, size_t bytes,
                              enum cudaMemcpyKind kind, cudaStream_t stream,
                              int asynchronous)
{
    struct softgpu_copy_request r = {.extent = {bytes, 1, 1}, .kind = kind,
                                     .dst_device = -1, .src_device = -1};
    struct side *const sides[2] = {&dst, &src};
    struct softgpu_box *const boxes[2] = {&r.dst, &r.src};
    for (int i = 0; i < 2; i++) {
        struct side *s = sides[i];
        const struct cudaArray *a = s->array ? softgpu_array(s->array) : NULL;
        s->pitch = bytes;
        const cudaError_t error = place(boxes[i], s, 0, 0);
        if (error)
            return error;
        if (a && bytes > a->image.slice - s->y * a->image.pitch - s->x)
            return cudaErrorInvalidValue;
        boxes[i]->pitch = bytes;
    }
    return softgpu_copy(&r, stream, asynchronous);
}

/* A place in an array: x in bytes, y in rows. */
static struct side in_array(cudaArray_const_t array, size_t x, size_t y)
{
    return (struct side){.array = array, .x = x, .y = y};
}

/* A place in pitched memory. */
static struct side in_memory(const void *p, size_t pitch)
{
    return (struct side){.ptr = (char *)(uintptr_t)p, .pitch = pitch};
}

/* The array of a copy must not be NULL, which stands for memory here. */
static int is_array(cudaArray_const_t array)
{
    return softgpu_array(array) != NULL;
}

/* A copy whose destination must be an array. */
static cudaError_t rows_to(const struct side *dst, const struct side *src,
                           struct cudaExtent e, enum cudaMemcpyKind kind,
                           cudaStream_t stream, int asynchronous)
{
    return is_array(dst->array)
               ? copy_rows(dst, src, e, kind, stream, asynchronous)
               : cudaErrorInvalidResourceHandle;
}

/* A copy whose source must be an array. */
static cudaError_t rows_from(const struct side *dst, const struct side *src,
                             struct cudaExtent e, enum cudaMemcpyKind kind,
                             cudaStream_t stream, int asynchronous)
{
    return is_array(src->array)
               ? copy_rows(dst, src, e, kind, stream, asynchronous)
               : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset,
                                     size_t hOffset, const void *src,
                                     size_t spitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    const struct side to = in_array(dst, wOffset, hOffset),
                      from = in_memory(src, spitch);
    const struct cudaExtent e = {width, height, 1};
    SOFTGPU_CALL(rows_to(&to, &from, e, kind, stream, 1));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset,
                                size_t hOffset, const void *src, size_t spitch,
                                size_t width, size_t height,
                                enum cudaMemcpyKind kind)
{
    const struct side to = in_array(dst, wOffset, hOffset),
                      from = in_memory(src, spitch);
    const struct cudaExtent e = {width, height, 1};
    SOFTGPU_CALL(rows_to(&to, &from, e, kind, 0, 0));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch,
                                       cudaArray_const_t src, size_t wOffset,
                                       size_t hOffset, size_t width,
                                       size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    const struct side to = in_memory(dst, dpitch),
                      from = in_array(src, wOffset, hOffset);
    const struct cudaExtent e = {width, height, 1};
    SOFTGPU_CALL(rows_from(&to, &from, e, kind, stream, 1));
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch,
                                  cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  enum cudaMemcpyKind kind)
{
    const struct side to = in_memory(dst, dpitch),
                      from = in_array(src, wOffset, hOffset);
    const struct cudaExtent e = {width, height, 1};
    SOFTGPU_CALL(rows_from(&to, &from, e, kind, 0, 0));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst,
                                     size_t hOffsetDst, cudaArray_const_t src,
                                     size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    const struct side to = in_array(dst, wOffsetDst, hOffsetDst),
                      from = in_array(src, wOffsetSrc, hOffsetSrc);
    const struct cudaExtent e = {width, height, 1};
    SOFTGPU_CALL(is_array(src) ? rows_to(&to, &from, e, kind, 0, 0)
                               : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset,
                                   size_t hOffset, const void *src,
                                   size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream)
{
    SOFTGPU_CALL(is_array(dst)
                     ? copy_bytes(in_array(dst, wOffset, hOffset),
                                  in_memory(src, 0), bytes, kind, stream, 1)
                     : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                              const void *src, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    SOFTGPU_CALL(is_array(dst)
                     ? copy_bytes(in_array(dst, wOffset, hOffset),
                                  in_memory(src, 0), bytes, kind, 0, 0)
                     : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src,
                                     size_t wOffset, size_t hOffset,
                                     size_t bytes, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    SOFTGPU_CALL(is_array(src)
                     ? copy_bytes(in_memory(dst, 0),
                                  in_array(src, wOffset, hOffset), bytes, kind,
                                  stream, 1)
                     : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src,
                                size_t wOffset, size_t hOffset, size_t bytes,
                                enum cudaMemcpyKind kind)
{
    SOFTGPU_CALL(is_array(src)
                     ? copy_bytes(in_memory(dst, 0),
                                  in_array(src, wOffset, hOffset), bytes, kind,
                                  0, 0)
                     : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst,
                                   size_t hOffsetDst, cudaArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc,
                                   size_t bytes, enum cudaMemcpyKind kind)
{
    SOFTGPU_CALL(is_array(dst) && is_array(src)
                     ? copy_bytes(in_array(dst, wOffsetDst, hOffsetDst),
                                  in_array(src, wOffsetSrc, hOffsetSrc), bytes,
                                  kind, 0, 0)
                     : cudaErrorInvalidResourceHandle);
}
