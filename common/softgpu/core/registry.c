/* SPDX-License-Identifier: MIT */
/** @file
 *  The program's kernels and shared variables, linked before main() runs.
 */
#include "core.h"

static struct softgpu_kernel *kernels;
static uint32_t function_shared;

static uint32_t align_up(uint32_t bytes, uint32_t align)
{
    return (bytes + align - 1) & ~(align - 1);
}

void softgpu_register_kernel(struct softgpu_kernel *kernel)
{
    kernel->next = kernels;
    kernels = kernel;
}

struct softgpu_kernel *softgpu_kernels(void)
{
    return kernels;
}

struct softgpu_kernel *softgpu_find_kernel(const void *stub)
{
    struct softgpu_kernel *k = kernels;
    while (k && k->stub != stub)
        k = k->next;
    return k;
}

/* A slot may come before its kernel: only the sum is kept there. */
void softgpu_register_slot(struct softgpu_slot *slot)
{
    uint32_t *end =
        slot->kernel ? &slot->kernel->static_shared : &function_shared;
    slot->offset = align_up(*end, slot->align);
    *end = slot->offset + slot->bytes;
}

uint32_t softgpu_function_shared(void)
{
    return function_shared;
}
