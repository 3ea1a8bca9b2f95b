/* SPDX-License-Identifier: MIT */
/** @file
 *  The list of allocations that the watchers keep beside the runtime's own,
 *  because it remembers freed ones and where each was made.
 */
#ifndef SOFTGPU_PLACE_H
#define SOFTGPU_PLACE_H

#include "watch.h"

/** Memory was handed out by the call that returns to `site`. */
void place_allocated(const struct softgpu_allocation *a, uintptr_t site);
/** Memory is taken back; later accesses to it are findings. */
void place_freed(const struct softgpu_allocation *a, uintptr_t site);
/** The runtime copied bytes, or filled them (src is NULL). */
void place_copied(void *dst, const void *src, size_t bytes);
/** Which of these bytes of device memory is the first without a value.
 *  @return its index; n when all have one, or nothing is known of them */
size_t place_first_unknown(const void *p, size_t n);
/** The program asks for a fill from dst: were elements meant for bytes? */
void place_fill_asked(const void *dst, size_t bytes, uintptr_t site);
/** 1 when a plain read lies in memory that was read at this line before, and
 *  tells nothing new. */
int place_nothing_new(const volatile void *p, uint32_t bytes, uintptr_t code);
/** A kernel's own malloc gave memory (heap.c), and took it back. */
void place_heap(void *p, size_t bytes, uintptr_t site);
void place_heap_freed(void *p, uintptr_t site);
/** Visit all that was never freed. */
void place_each_live(void (*visit)(const struct watched *));
/** End of the stack that the worker runs on now. */
const void *watch_stack_top(const struct worker *worker);

#endif
