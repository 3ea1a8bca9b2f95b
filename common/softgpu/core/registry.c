/* SPDX-License-Identifier: MIT */
/** @file
 *  The program's kernels, shared variables and symbols, linked before main() runs.
 */
#include "core.h"
#include "symbols.h"

static struct softgpu_kernel *kernels;
static uint32_t function_shared;
static struct softgpu_symbol *symbols;
static int symbols_open;

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

const struct softgpu_symbol *softgpu_symbol_at(const void *p)
{
    const struct softgpu_symbol *s = symbols;
    while (s && (size_t)((const char *)p - (const char *)s->address)
                    >= s->bytes)
        s = s->next;
    return s;
}

int softgpu_link_symbol(struct softgpu_symbol *symbol)
{
    if (softgpu_symbol_at(symbol->address))
        return 0; /* an inline variable: each file tells of it */
    symbol->next = symbols;
    symbols = symbol;
    return 1;
}

void softgpu_each_symbol(void (*visit)(const struct softgpu_symbol *, void *),
                         void *context)
{
    for (const struct softgpu_symbol *s = symbols; s; s = s->next)
        visit(s, context);
}

void softgpu_open_symbols(void)
{
    symbols_open = 1;
}

int softgpu_symbols_left_out(void)
{
    return symbols_open;
}

int softgpu_symbols_are_open(void)
{
    return symbols_open || !symbols;
}
