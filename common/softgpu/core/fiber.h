/* SPDX-License-Identifier: MIT */
/** @file
 *  Fibers: stacks for CUDA threads, and the context switch between them with
 *  the annotations that the address sanitizer needs.
 */
#ifndef SOFTGPU_FIBER_H
#define SOFTGPU_FIBER_H

#include <stdbool.h>
#include <stddef.h>

#include "switch.h"

#if defined(__SANITIZE_ADDRESS__)
#define SOFTGPU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SOFTGPU_ASAN 1
#endif
#endif

struct stacks; /* the stack pool of one worker */

/** A stack; an entry of its slab's table. */
struct stack {
    char *base;   /**< lowest usable byte */
    void *top;    /**< end; the stack grows down from here */
    size_t bytes; /**< from base to top */
    struct stack *next; /**< in the free list */
};

/** Kind of a pool's stacks, by the code that runs on them. */
enum stack_kind {
    THREAD_STACKS, /**< CUDA threads, 256 KiB each */
    GANG_STACKS,   /**< gangs of the vector engine, 2 MiB each: their frames
                        have the local memory of 32 threads, or of a block */
    STACK_KINDS    /**< how many */
};

/** How many stacks of a kind each of this many workers may use. */
size_t softgpu_stack_limit(enum stack_kind kind, unsigned workers);
/** Make an empty pool. @return NULL without memory */
struct stacks *softgpu_stack_pool_new(enum stack_kind kind);
/** Take an unused stack from the pool. @return NULL without memory */
struct stack *softgpu_stack_acquire(struct stacks *stacks);
/** Return a stack to the pool.  It may be the running one, which stays valid
 *  until the next softgpu_stack_acquire(). */
void softgpu_stack_release(struct stacks *stacks, struct stack *stack);
/** Return all stacks to the pool, also those of suspended threads. */
void softgpu_stack_pool_reset(struct stacks *stacks);
/** Is the address in a stack or just below it, as after an overflow? */
bool softgpu_stack_overflowed(const struct stacks *stacks, const void *address);

/** The stack that an OS thread returns to from its fibers. */
struct native_stack {
    const void *bottom; /**< lowest byte; NULL: not known yet */
    size_t bytes;       /**< its size */
};

#ifdef SOFTGPU_ASAN

/** Replace the native stack of this OS thread; with {NULL, 0} it is the stack
 *  that runs when it next switches to a fiber.  @return the one before */
struct native_stack softgpu_fiber_set_native(struct native_stack stack);
/** softgpu_switch() with the address sanitizer's annotations.
 *  @param to_stack  NULL: the native stack of this OS thread
 *  @param over      the stack that is left will not be resumed */
void *softgpu_fiber_switch(void **save, void *to, void *result,
                           const struct stack *to_stack, bool over);
/** To be called first on a fresh stack. */
void softgpu_fiber_finish_entry(void);
/** To be called first back on the native stack: softgpu_exit_fibers() may have
 *  run below this frame without ever returning. */
void softgpu_fiber_finish_exit(void);

#else

static inline struct native_stack
softgpu_fiber_set_native(struct native_stack stack)
{
    return stack;
}
static inline void *softgpu_fiber_switch(void **save, void *to, void *result,
                                         const struct stack *to_stack,
                                         bool over)
{
    (void)to_stack;
    (void)over;
    return softgpu_switch(save, to, result);
}
static inline void softgpu_fiber_finish_entry(void) {}
static inline void softgpu_fiber_finish_exit(void) {}

#endif
#endif
