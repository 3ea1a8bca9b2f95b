/* SPDX-License-Identifier: MIT */
/** @file
 *  Stores that are announced, but perhaps not executed yet.
 *
 *  A store is checked before it is executed.  Until the OS thread's next check
 *  the word may still have the old value, so another OS thread cannot tell
 *  whether it stores the same one. */
#ifndef SOFTGPU_WATCH_PENDING_STORE_H
#define SOFTGPU_WATCH_PENDING_STORE_H

#include <stdatomic.h>
#include <stdint.h>

#include "common/softgpu/include/softgpu/abi.h"

/** Address of this OS thread's store; 0 when there is none. */
extern SOFTGPU_TLS _Atomic(uintptr_t) *pending_store;

/** This OS thread is about to store to a word of device memory. */
void pending_store_begin(uintptr_t word);

/** This OS thread has executed what it announced. */
static inline void pending_store_end(void)
{
    if (pending_store
        && atomic_load_explicit(pending_store, memory_order_relaxed))
        atomic_store_explicit(pending_store, 0, memory_order_release);
}

/** Wait shortly for the stores of other OS threads to a word.
 *  @return 0 when one may still be pending */
int pending_store_wait(uintptr_t word);

#endif
