/* SPDX-License-Identifier: MIT */
/** @file
 *  Library calls (cuBLAS, cuDNN) as commands of a stream.
 *
 *  A call becomes the launch of a kernel that has its name.  The parts of the
 *  call are the kernel's blocks: the pool of OS threads runs them in parallel,
 *  and streams, events, graphs and errors treat it as any kernel.  The
 *  arguments are copied when the call is made; the arrays are accessed when
 *  the command runs.
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
#include "common/softgpu/core/hooks.h"

struct softgpu_command;

/** First member of the arguments that a call keeps for its run. */
struct softgpu_library_call {
    const char *name; /**< as the program wrote it: "cublasSgemm"; static */
    /** Run one part, numbered from 0.  Parts run in any order and in parallel,
     *  on a kernel's stack (300 KiB). */
    void (*run)(const void *self, unsigned part);
    /** Report each array that will be read or written by calling
     *  softgpu_library_array().  Called before the run; may read device
     *  memory. */
    void (*arrays)(const void *self);
    unsigned parts;    /**< at least 1 */
    double operations; /**< floating-point, for the modeled time */
    double bytes;      /**< minimum DRAM traffic, likewise */
    const void *site;  /**< return address in the program */
};

/** How an array is used. */
enum softgpu_use { SOFTGPU_READS = 1, SOFTGPU_WRITES = 2 };

/** An array of rows with a stride (pitch). */
struct softgpu_array {
    const char *name; /**< as in the library's documentation: "A" */
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
/** Make the command of a call for the current device.  The lock is held.
 *  @param[out] command  owned by the caller, if there is no error */
cudaError_t softgpu_library_command(struct softgpu_command *command,
                                    const void *self, size_t bytes);
/** Report an array; called by `arrays`.  Pageable host memory ends the run with
 *  cudaErrorIllegalAddress, as on a GPU. */
void softgpu_library_array(const struct softgpu_array *array);
/** Bytes from p to the end of its allocation, for an area whose size a program
 *  passes to a library.
 *  @return SIZE_MAX if p is in no allocation of the device now, as memory of a
 *          graph that does not run */
size_t softgpu_library_room(const void *p);

/** Name of this thread's current library call; static. */
extern SOFTGPU_TLS const char *softgpu_library_name;
/** Record a call, unless a call of a library made it.
 *  @return 1 if the program made it */
int softgpu_library_enter(const void *caller, const char *name);
/** The call returns. */
void softgpu_library_leave(const int *is_outer);
/** First statement of a public call: records its name and its call site, which
 *  is also that of the calls that it makes, of the runtime and of libraries. */
#define SOFTGPU_LIBRARY_CALL()                                    \
    const int softgpu_is_outer_call                               \
        __attribute__((cleanup(softgpu_library_leave), unused)) = \
            softgpu_library_enter(SOFTGPU_CALLER, __func__)
/** Print that this thread's call is about to return "not supported", once for
 *  each call and reason: a program that ignores the status would compute with
 *  what is not there.
 *  @param why  the argument that is not supported, as a sentence without a
 *              full stop */
void softgpu_library_refuse(const char *why);
/** The same for a call of this name, without its place in the program. */
void softgpu_library_refuse_call(const char *call, const char *why);

/** Report the arrays of a call that runs next; the lock is held. */
void softgpu_library_report_arrays(const struct softgpu_library_call *call);
/** The library call in a kernel's closure; NULL for an ordinary kernel. */
static inline const struct softgpu_library_call *softgpu_library_call_of(
    const struct softgpu_kernel *kernel, const void *closure)
{
    return kernel->flags & SOFTGPU_LIBRARY ? closure : NULL;
}

#endif
