/* SPDX-License-Identifier: MIT */
/** @file
 *  The frame of every runtime call: one lock, the last error, sticky errors.
 *
 *  The body of a public function is SOFTGPU_CALL(expression).  The expression
 *  is evaluated with the lock held and the runtime initialized, and gives the
 *  error.  The lock is released while queued commands run (queue.c), so that
 *  kernels do not block other host threads.
 */
#ifndef SOFTGPU_CALL_H
/** The body of a runtime call; records the call site for messages. */
#define SOFTGPU_CALL_H

#include <pthread.h>

#include "common/softgpu/core/hooks.h"
#include "cuda_runtime_api.h"
#include "remote.h"

/** Return address of a driver API call that calls the runtime, or NULL. */
extern SOFTGPU_TLS const void *softgpu_outer_site;
/** Return address of a library call that calls the runtime, or NULL. */
extern SOFTGPU_TLS const void *softgpu_library_site;
/** 1 if this thread has called the runtime API, but not through the driver
 *  API. */
int softgpu_runtime_was_used(void);
/** Set this thread's last error.  @return the one before */
cudaError_t softgpu_swap_last_error(cudaError_t error);

/** The lock of the runtime: guards all state of the host side. */
extern pthread_mutex_t softgpu_lock;

/** Take the lock, and initialize the runtime at the first call.
 *  @return the current device's sticky error, cudaErrorNotPermitted inside a
 *          kernel or a host function, or cudaSuccess; the lock is held in each
 *          case */
cudaError_t softgpu_call_begin(void);
/** Release the lock and record an error.  @return the error, or the sticky
 *  error of a kernel that ran during the call */
cudaError_t softgpu_call_end(cudaError_t error);
/** Record an error as this thread's last error.  @return the error */
cudaError_t softgpu_record_error(cudaError_t error);
/** Mark this thread as running a host function (1) or not (0). */
void softgpu_set_in_callback(int inside);
/** 1 if this thread runs a host function. */
int softgpu_in_callback(void);
/** Tell the checks of a free that a sticky error is about to refuse. */
void softgpu_note_refused_free(void *p);
/** Clear the last error; only for cudaDeviceReset(). */
void softgpu_clear_error(void);

/** The body of a runtime call; records the call site for messages. */
#define SOFTGPU_CALL(expression)                                          \
    do {                                                                  \
        softgpu_call_site = softgpu_outer_site     ? softgpu_outer_site   \
                            : softgpu_library_site ? softgpu_library_site \
                                                   : SOFTGPU_CALLER;      \
        cudaError_t softgpu_error_ = softgpu_call_begin();                \
        if (softgpu_error_ == cudaSuccess)                                \
            softgpu_error_ = (expression);                                \
        return softgpu_call_end(softgpu_error_);                          \
    } while (0)

/** The same for a query, which a kernel can make, too. */
#define SOFTGPU_QUERY(expression)                          \
    do {                                                   \
        if (!softgpu_tls.block)                            \
            SOFTGPU_CALL(expression);                      \
        pthread_mutex_lock(&softgpu_lock);                 \
        const cudaError_t softgpu_error_ = (expression);   \
        pthread_mutex_unlock(&softgpu_lock);               \
        return softgpu_record_error(softgpu_error_);       \
    } while (0)

#endif
