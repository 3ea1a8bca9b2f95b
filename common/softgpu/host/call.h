/* SPDX-License-Identifier: MIT */
/** @file
 *  The frame of every runtime call: one lock, the last error, sticky errors.
 *
 *  A public function is SOFTGPU_CALL(its work).  The work runs with the lock
 *  held and the runtime set up, and returns the error.  The lock is let go
 *  while queued work runs (queue.c), so that kernels do not hold up other
 *  host threads.
 */
#ifndef SOFTGPU_CALL_H
#define SOFTGPU_CALL_H

#include <pthread.h>

#include "../core/hooks.h"
#include "cuda_runtime_api.h"

extern pthread_mutex_t softgpu_lock;

/** Take the lock and set up.  @return the failure that a kernel of the
 *  current device left behind, or cudaErrorNotPermitted inside a kernel or a
 *  host function, or cudaSuccess; held in each case */
cudaError_t softgpu_enter(void);
/** Let go; record an error.  @return error, or what the work has run into */
cudaError_t softgpu_leave(cudaError_t error);
/** Record an error as this thread's last, if it is one.  @return it */
cudaError_t softgpu_record(cudaError_t error);
/** Mark this thread as running a host function (1) or not (0). */
void softgpu_in_callback(int inside);
/** Nothing is left over; only cudaDeviceReset may say so. */
void softgpu_forget_error(void);

#define SOFTGPU_CALL(work)                                            \
    do {                                                              \
        softgpu_call_site = __builtin_return_address(0);              \
        cudaError_t softgpu_error_ = softgpu_enter();                 \
        if (softgpu_error_ == cudaSuccess)                            \
            softgpu_error_ = (work);                                  \
        return softgpu_leave(softgpu_error_);                         \
    } while (0)

#endif
