/* SPDX-License-Identifier: MIT */
/** @file
 *  Arrays: device memory with a format and up to three dimensions.  Rows,
 *  slices and layers follow each other without gaps.  The functions are those
 *  of texture/, which needs host/ and whose headers host/ does not need.
 */
#ifndef SOFTGPU_HOST_ARRAY_H
#define SOFTGPU_HOST_ARRAY_H

#include <stdint.h>

#include "copy.h"
#include "cuda_runtime_api.h"

/** Levels of a mipmapped array at most. */
#define SOFTGPU_MAX_LEVELS 18

/** Format of an element. */
struct softgpu_format {
    enum cudaChannelFormatKind kind;
    int channels; /**< 1, 2 or 4 */
    int bits;     /**< of each: 8, 16 or 32 */
    int bytes;    /**< of an element */
};

/** Where elements are: an array, a level of one, or memory. */
struct softgpu_image {
    char *base;                 /**< first element */
    int64_t width, height;      /**< in elements; height at least 1 */
    int64_t depth;              /**< slices, layers or faces; at least 1 */
    size_t pitch, slice;        /**< bytes from row to row, slice to slice */
};

/** An array.  Its memory is freed with it, but not this structure: a handle
 *  stays valid to ask whether the array is alive. */
struct cudaArray {
    struct cudaArray *next; /**< in the list of all arrays */
    int alive;
    struct cudaChannelFormatDesc desc;
    struct softgpu_format format;
    struct cudaExtent extent; /**< as requested: 0 for a missing dimension */
    unsigned flags;
    struct softgpu_image image;
    struct softgpu_allocation *memory;       /**< NULL for a level */
    struct cudaMipmappedArray *mipmap;       /**< of a level, or NULL */
};

/** A mipmapped array. */
struct cudaMipmappedArray {
    struct cudaMipmappedArray *next; /**< in the list of all */
    int alive;
    unsigned count;                             /**< of levels */
    struct cudaArray *levels[SOFTGPU_MAX_LEVELS];
    struct softgpu_allocation *memory;          /**< of all levels */
};

/** Read a format.
 *  @return cudaErrorInvalidChannelDescriptor for one that CUDA lacks,
 *      cudaErrorNotSupported for one that the software GPU lacks */
cudaError_t softgpu_read_format(struct softgpu_format *to,
                                const struct cudaChannelFormatDesc *desc);
/** The array of a handle, or NULL if it is no array or was freed. */
struct cudaArray *softgpu_array(cudaArray_const_t handle);
/** Is this the handle of an array, freed or not? */
int softgpu_is_array_handle(const void *handle);
/** The mipmapped array of a handle, or NULL. */
struct cudaMipmappedArray *softgpu_mipmap(cudaMipmappedArray_const_t handle);
/** The elements of an array as a region of memory, from element x, row y and
 *  slice z.  @return 0, or -1 if the extent (elements) does not fit */
int softgpu_array_box(struct softgpu_box *to, const struct cudaArray *array,
                      struct cudaPos from, struct cudaExtent extent);
/** An array whose memory the caller provides: a level of a mipmapped array.
 *  @return NULL without memory */
struct cudaArray *softgpu_array_new(const struct cudaChannelFormatDesc *desc,
                                    struct cudaExtent extent, unsigned flags);
/** Bytes of its elements. */
size_t softgpu_array_bytes(const struct cudaArray *array);
/** Check format, size and flags.  @return CUDA's error */
cudaError_t softgpu_check_array(const struct cudaChannelFormatDesc *desc,
                                struct cudaExtent extent, unsigned flags);

/** cudaDeviceReset(): the device's arrays are gone. */
void softgpu_arrays_reset(const struct softgpu_device *device);

#endif
