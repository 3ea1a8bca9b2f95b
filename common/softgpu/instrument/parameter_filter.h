/* SPDX-License-Identifier: MIT */
/** @file
 *  The parameter filter.  Each thread of a kernel reads the kernel's parameters
 *  and its own index, some ten times, where nothing can be wrong.  All that a
 *  tool keeps of such a read is the line of the thread's last access.
 *
 *  A tool sets the filter at the first such read of a block, and clears it when
 *  a block begins or ends and when it must see every access.
 */
#ifndef SOFTGPU_PARAMETER_FILTER_H
#define SOFTGPU_PARAMETER_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "address_space.h"

/** The parameters of the kernel that this OS thread runs. */
struct parameter_filter {
    uintptr_t base; /**< their address */
    size_t bytes;   /**< their size; 0: the filter is off */
};

/** The filter of this OS thread. */
extern SOFTGPU_TLS struct parameter_filter parameter_filter;

/** Is a plain read one of a parameter or an index, and not the thread's first
 *  access?  It becomes the thread's last one. */
static inline __attribute__((always_inline)) int
parameter_filter_has(const volatile void *p, uintptr_t pc)
{
    struct softgpu_thread *thread;

    if ((uintptr_t)p - parameter_filter.base >= parameter_filter.bytes
        && (!parameter_filter.bytes || !is_thread_local((uintptr_t)p)))
        return 0;
    thread = softgpu_tls.thread;
    if (!thread || !thread->site)
        return 0;
    thread->site = (const void *)pc;
    return 1;
}

/** Turn the filter off. */
static inline void parameter_filter_disable(void)
{
    parameter_filter.bytes = 0;
}

#endif
