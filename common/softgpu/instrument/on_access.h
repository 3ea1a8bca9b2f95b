/* SPDX-License-Identifier: MIT */
/** @file
 *  From an instrumentation callback to the tools.  Private to the files of
 *  this folder that define callbacks.
 */
#ifndef SOFTGPU_ON_ACCESS_H
#define SOFTGPU_ON_ACCESS_H

#include "parameter_filter.h"
#include "same_access.h"

/** A callback is a function of its own, called by the program.  It begins a line
 *  of the cache, so that its speed does not depend on the code before it. */
#define CALLBACK __attribute__((noinline, aligned(64)))
/** Return address of the callback. */
#define CALLER_PC ((uintptr_t)__builtin_return_address(0))
/** Where the caller's frame begins: found without a frame pointer here. */
#define CALLER_FRAME ((uintptr_t)__builtin_dwarf_cfa() - 2 * sizeof(void *))

/** Pass an access of any number of bytes to all tools. */
void pass_range(const volatile void *p, size_t bytes, uint32_t flags,
                uintptr_t pc, uintptr_t frame);

/** An access of 1, 2, 4, 8 or 16 bytes.  Inlined into each callback, which
 *  ends in the call of another function and needs no stack frame. */
static ALWAYS_INLINE void on_access(const volatile void *p, uint32_t bytes,
                                    uint32_t flags, uintptr_t pc)
{
    const uint64_t bytes_and_flags = (uint64_t)flags << 32 | bytes;
    const size_t index = filter_index(p, bytes);

    if (!filter_covers(index, bytes, flags)) {
        if (flags || !parameter_filter_has(p, pc))
            pass_access(p, bytes_and_flags, pc, CALLER_FRAME);
    } else if (flags || !filter_has_read(index * (bytes / 4), bytes / 4, pc)) {
        same_access_filter.new_access(p, bytes_and_flags, pc, CALLER_FRAME);
    }
}

#endif
