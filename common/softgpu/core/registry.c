/* SPDX-License-Identifier: MIT */
/** @file
 *  The lists of the program's kernels, shared variables and device variables,
 *  filled before main() runs.
 */
#include "core.h"

#include <stdlib.h>

#include "symbols.h"

static struct softgpu_kernel *kernels;
static uint32_t function_shared;
static struct softgpu_shared_variable *shared[4096];
static size_t shared_count;
static struct softgpu_symbol *symbols;
static int symbols_open;

/* The alignment is a power of 2. */
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

/* A shared variable may be registered before its kernel is: this changes only
 * the kernel's sum. */
void softgpu_register_shared(struct softgpu_shared_variable *slot)
{
    if (shared_count == sizeof shared / sizeof *shared)
        abort(); /* no program has as many */
    shared[shared_count++] = slot;
    uint32_t *end =
        slot->kernel ? &slot->kernel->static_shared : &function_shared;
    slot->offset = align_up(*end, slot->align);
    *end = slot->offset + slot->bytes;
}

struct softgpu_shared_variable *const *softgpu_shared_variables(size_t *count)
{
    *count = shared_count;
    return shared;
}

uint32_t softgpu_function_shared(void)
{
    return function_shared;
}

const struct softgpu_symbol *softgpu_symbol_at(const void *p)
{
    const struct softgpu_symbol *s = symbols;
    while (s
           && (size_t)((const char *)p - (const char *)s->address) >= s->bytes)
        s = s->next;
    return s;
}

int softgpu_link_symbol(struct softgpu_symbol *symbol)
{
    if (softgpu_symbol_at(symbol->address))
        return 0; /* an inline variable: each file registers it */
    symbol->next = symbols;
    symbols = symbol;
    return 1;
}

struct softgpu_symbol *softgpu_symbols(void)
{
    return symbols;
}

void softgpu_for_each_symbol(void (*visit)(const struct softgpu_symbol *,
                                           void *),
                             void *context)
{
    for (const struct softgpu_symbol *s = symbols; s; s = s->next)
        visit(s, context);
}

void softgpu_symbols_incomplete(void)
{
    symbols_open = 1;
}

int softgpu_has_unlisted_symbols(void)
{
    return symbols_open;
}

int softgpu_symbol_list_is_incomplete(void)
{
    return symbols_open || !symbols;
}
