/* SPDX-License-Identifier: MIT */
/** @file
 *  Stacks of threads, and the switch with what the sanitizers must be told.
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

struct stacks; /* those of one worker */

/** A stack; lives in its slab's table. */
struct stack {
    char *base;   /**< lowest byte that may be used */
    void *top;
    size_t bytes; /**< from base to top */
    struct stack *next; /**< free list */
};

/** How many stacks one of so many workers may fill. */
size_t softgpu_stacks_room(unsigned workers);
/** An empty set. @return NULL without memory */
struct stacks *softgpu_stacks_new(void);
/** A stack that nobody uses; NULL without memory. */
struct stack *softgpu_stack_take(struct stacks *stacks);
/** Nobody uses it any more; may be the one running, until the next take. */
void softgpu_stack_give(struct stacks *stacks, struct stack *stack);
/** All stacks are free again, whatever lay on them. */
void softgpu_stacks_reset(struct stacks *stacks);
/** Does the address lie in or just below a stack, as after an overflow? */
bool softgpu_stack_overflowed(const struct stacks *stacks, const void *address);

#ifdef SOFTGPU_ASAN

/** softgpu_switch() that tells the address sanitizer.
 *  @param to_stack  NULL: the native stack of this OS thread
 *  @param over      the stack left behind is done with */
void *softgpu_fiber_switch(void **save, void *to, void *result,
                           const struct stack *to_stack, bool over);
/** First thing on a fresh stack. */
void softgpu_fiber_arrive(void);
/** First thing back on the native stack: who abandoned a thread used what lies
 *  below, and never returned. */
void softgpu_fiber_home(void);

#else

static inline void *softgpu_fiber_switch(void **save, void *to, void *result,
                                         const struct stack *to_stack,
                                         bool over)
{
    (void)to_stack;
    (void)over;
    return softgpu_switch(save, to, result);
}
static inline void softgpu_fiber_arrive(void) {}
static inline void softgpu_fiber_home(void) {}

#endif
#endif
