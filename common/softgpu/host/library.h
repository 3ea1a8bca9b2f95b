/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls of a library (cuBLAS, cuDNN) as work of a stream.
 *
 *  A call becomes the launch of a kernel that has its name.  Its parts are
 *  the kernel's blocks, so the pool of OS threads runs them side by side, and
 *  streams, events, graphs and failures treat it as any kernel.  What it is to
 *  do is copied when the call is made; the arrays it names are looked at when
 *  its turn comes.
 *
 *      struct scaling {
 *          struct softgpu_library_call call;   // first
 *          float *x, factor;
 *          size_t n;
 *      };
 */
#ifndef SOFTGPU_LIBRARY_H
#define SOFTGPU_LIBRARY_H

#include "cuda_runtime_api.h"
#include "../core/hooks.h"

/** First member of what a call keeps for its run. */
struct softgpu_library_call {
    const char *name; /**< as the program wrote it: "cublasSgemm"; static */
    /** Do one part, numbered from 0.  Parts run in any order and side by
     *  side, on a kernel's stack (300 KiB). */
    void (*run)(const void *self, unsigned part);
    /** Name each array that will be read or written: softgpu_library_array().
     *  Called before the run; may read device memory. */
    void (*arrays)(const void *self);
    unsigned parts;    /**< at least 1 */
    double operations; /**< floating-point, for the time on a card */
    double bytes;      /**< least that goes through its memory */
    const void *site;  /**< return address in the program */
};

/** How an array is used. */
enum softgpu_use { SOFTGPU_READS = 1, SOFTGPU_WRITES = 2 };

/** An array of rows that lie a pitch apart. */
struct softgpu_array {
    const char *name; /**< as the library's documents call it: "A" */
    const void *ptr;  /**< first byte */
    size_t row;       /**< bytes of a row */
    size_t rows;      /**< how many; 0: nothing */
    size_t pitch;     /**< bytes from row to row */
    enum softgpu_use use; /**< both: read, then written */
};

/** Queue a call on a stream.
 *
 *  @param[in] self   begins with a struct softgpu_library_call whose `site`
 *                    is softgpu_call_site; copied
 *  @param     bytes  of it
 *  @return cudaSuccess, or why it cannot be queued */
cudaError_t softgpu_library_submit(cudaStream_t stream, const void *self,
                                   size_t bytes);
/** In `arrays`: the call uses this one.  Plain host memory ends the run with
 *  cudaErrorIllegalAddress, as on a card. */
void softgpu_library_array(const struct softgpu_array *array);

/** Name the arrays of a call whose turn has come and runs next; the lock is
 *  held. */
void softgpu_library_look(const struct softgpu_library_call *call);
/** A kernel's closure as a library's call; NULL if it is no such kernel. */
static inline const struct softgpu_library_call *
softgpu_library_of(const struct softgpu_kernel *kernel, const void *closure)
{
    return kernel->flags & SOFTGPU_LIBRARY ? closure : NULL;
}

#endif
