/* SPDX-License-Identifier: MIT */
/** @file
 *  The driver API over the runtime API: the frame of every call, contexts and
 *  modules.
 */
#ifndef SOFTGPU_DRIVER_H
#define SOFTGPU_DRIVER_H

#include "cuda.h"
#include "softgpu/abi.h"

/** A context. */
struct CUctx_st {
    struct CUctx_st *next; /**< in the list of all */
    int device;
    int alive;
    int is_primary;
    int references; /**< of a primary context: how often it was retained */
    unsigned flags;
};

/** A loaded module: the kernels and variables that were registered while its
 *  file was loaded. */
struct CUmod_st {
    struct CUmod_st *next;             /**< in the list of all */
    int alive;
    struct softgpu_kernel **kernels;   /**< owned */
    size_t kernel_count;
    struct softgpu_symbol **variables; /**< owned */
    size_t variable_count;
};

/** Precondition of a call. */
enum softgpu_driver_need {
    SOFTGPU_NEEDS_NOTHING, /**< not even cuInit() */
    SOFTGPU_NEEDS_INIT,    /**< cuInit() */
    SOFTGPU_NEEDS_CONTEXT  /**< a current context, too */
};

/** Begin a call.
 *  @param site  return address of the call, for messages */
CUresult softgpu_driver_begin(enum softgpu_driver_need need, const void *site);
/** End a call that began without error.  The runtime's last error of this
 *  thread is what it was before.  @return the error as a CUresult */
CUresult softgpu_driver_end(cudaError_t error);

/** The body of a call: an expression of the runtime's error. */
#define SOFTGPU_DRIVER_CALL(need, expression)                              \
    do {                                                                   \
        const CUresult result_ = softgpu_driver_begin(                     \
            SOFTGPU_NEEDS_##need, __builtin_return_address(0));            \
        return result_ ? result_ : softgpu_driver_end(expression);         \
    } while (0)

/** This thread's current context, or NULL. */
struct CUctx_st *softgpu_current_context(void);
/** Symbols that modules import from the program: imports.c. */
extern void (*const softgpu_module_imports[])(void);
/** A device address as a pointer. */
static inline void *softgpu_pointer(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

#endif
