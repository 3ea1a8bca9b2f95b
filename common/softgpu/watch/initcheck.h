/* SPDX-License-Identifier: MIT */
/** @file
 *  Initcheck: reads of memory that nothing has written.  Shared memory is
 *  uninitialized when a block begins, memory from cudaMalloc until a kernel,
 *  a copy or a memset writes it.
 */
#ifndef SOFTGPU_WATCH_INITCHECK_H
#define SOFTGPU_WATCH_INITCHECK_H

#include "watch.h"

/** Check one word of an access: report a read of uninitialized bytes, mark the
 *  bytes of a write as initialized.
 *
 *  @param index  of the word in its allocation, or in shared memory
 *  @param bytes  mask of its bytes that are accessed
 *  @return 0 for a read of uninitialized bytes */
int initcheck_word(const struct access *access, size_t index, unsigned bytes);

/** A plain access of whole, aligned words of an allocation, by a block whose
 *  accesses are not recorded: mark the words of a write as initialized.  For a
 *  write without a lock: words that are written as a whole only gain bits.
 *  @return 0: a check in full must say whether a read is wrong */
static inline int initcheck_words(const struct allocation *memory,
                                  const volatile void *p, uint32_t bytes,
                                  int is_write)
{
    enum { INITIALIZED = 0xf, BY_KERNEL = 0xff }; /* of watch.h's init_mask */
    uint8_t *mask = memory->init_mask + ((uintptr_t)p - memory->base) / 4;

    for (uint32_t i = 0; i < bytes / 4; i++) {
        if ((mask[i] & INITIALIZED) == INITIALIZED)
            continue;
        if (!is_write)
            return 0;
        mask[i] = BY_KERNEL;
    }
    return 1;
}

/* init_shadow.c: what the runtime itself writes */

/** The runtime copied bytes, or filled them (src is NULL): dst is as
 *  initialized as src; host memory counts as initialized. */
void initcheck_copied(void *dst, const void *src, size_t bytes);
/** Find the first uninitialized one of n bytes of device memory.
 *  @return its index; n when there is none or the memory is not tracked */
size_t initcheck_first_uninitialized(const void *p, size_t n);
/** The program asks for a fill of `bytes` bytes from dst.  Remember the call
 *  when it passes the number of elements of the allocation instead.
 *  @param site  return address of the call */
void initcheck_memset(const void *dst, size_t bytes, uintptr_t site);

#endif
