/* SPDX-License-Identifier: MIT */
/** @file
 *  The context switch for processors without an assembly file, and for builds
 *  with SOFTGPU_UCONTEXT: correct, but some twenty times slower.  A context is
 *  stored at the bottom of its stack.
 */
#if defined(SOFTGPU_UCONTEXT) || !(defined(__x86_64__) || defined(__aarch64__))

#include <ucontext.h>

#include "switch.h"

static _Thread_local void *passed;

void *softgpu_switch(void **save, void *to, void *result)
{
    ucontext_t here;
    *save = &here;
    passed = result;
    swapcontext(&here, to);
    return passed;
}

void *softgpu_switch_prepare(void *top, size_t bytes, void (*entry)(void))
{
    char *bottom = (char *)top - bytes;
    ucontext_t *context = (ucontext_t *)bottom;
    const size_t head = (sizeof *context + 63) & ~(size_t)63;
    getcontext(context);
    context->uc_stack.ss_sp = bottom + head;
    context->uc_stack.ss_size = bytes - head;
    context->uc_link = NULL;
    makecontext(context, entry, 0);
    return context;
}

#else
typedef int softgpu_switch_is_in_assembly;
#endif
