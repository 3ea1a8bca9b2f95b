/* SPDX-License-Identifier: MIT */
/* The instructions of a kernel: executions of basic blocks, times what the
 * blocks consist of, without what only the software GPU needs. */
#include "kernel_instructions.h"

#include <string.h>

#include "kernel_lines.h"

enum { NEAR_ACCESS = 12 /* instructions after an address that it is for */ };

static int is_integer(enum instruction_class class)
{
    return class == CLASS_INTEGER || class == CLASS_ADDRESS
           || class == CLASS_DIVISION;
}

/* Does the instruction do two operations? */
static int is_fma(enum instruction_class class)
{
    return class == CLASS_FLOAT_FMA || class == CLASS_HALF_FMA
           || class == CLASS_DOUBLE_FMA;
}

/* Add operations to the counter of their type. */
static void add_flops(struct counters *c, enum instruction_class class,
                      uint64_t lanes, const char *header)
{
    uint64_t n = lanes << is_fma(class);

    if (class == CLASS_SPECIAL)
        c->flop_special += n;
    else if (class == CLASS_DOUBLE || class == CLASS_DOUBLE_FMA)
        c->flop_double += n;
    else if (class == CLASS_HALF || class == CLASS_HALF_FMA
             || strncmp(header, "softgpu/small/", 14) == 0)
        c->flop_half += n; /* in these headers float stands in for half */
    else
        c->flop_float += n;
}

static int is_flop(enum instruction_class class)
{
    return class >= CLASS_FLOAT && class <= CLASS_SPECIAL;
}

/* Is it part of a matrix instruction?  The products of its lanes are one
 * instruction: the call at which the lanes converge, which is no shuffle. */
static int is_matrix_instruction(const struct source_line *source)
{
    return strncmp(source->header, "softgpu/wmma", 12) == 0
           || strncmp(source->header, "softgpu/ptx/", 12) == 0;
}

/* Does a lane move its part of a matrix to or from registers?  On a GPU the
 * matrix instruction does. */
static int is_fragment_access(enum instruction_class class,
                              const struct source_line *source)
{
    return class == CLASS_MEMORY
           && (strncmp(source->header, "softgpu/wmma", 12) == 0
               || strcmp(source->header, "softgpu/ptx/fragments.h") == 0
               || strcmp(source->header, "mma.h") == 0);
}

/* Does an inlined header of the software GPU need this instruction, but a GPU
 * not?  Atomics of a GPU compute in L2, and shuffles move registers. */
static int is_runtime_instruction(enum instruction_class class,
                                  const struct source_line *source)
{
    if (strcmp(source->header, "softgpu/atomic.h") == 0)
        return class != CLASS_MEMORY;
    if (strcmp(source->header, "softgpu/warp.h") == 0)
        return class != CLASS_WARP_CALL && !is_flop(class);
    if (strcmp(source->header, "softgpu/ptx/tensor.h") == 0)
        return 1; /* TMA copies a box with one instruction */
    if (is_fragment_access(class, source))
        return 1;
    return is_launch_setup(source)
           || (source->header[0]
               && (is_integer(class) || class == CLASS_BRANCH
                   || class == CLASS_OTHER));
}

/* On the line of a product of matrices: which fragments it takes.  nvcc unrolls
 * the loop around it, and they are registers. */
static int selects_registers(enum instruction_class class)
{
    return is_integer(class) || class == CLASS_BRANCH;
}

/* Did the call access memory of the GPU?  Registers such as threadIdx and the
 * kernel's parameters are memory of the host: its accesses have no site. */
static const struct site *access_site(const struct sites *sites,
                                      const struct decoded_instruction *i)
{
    const struct site *site = NULL;

    for (int kind = 0; kind < SITE_BASIC_BLOCK && !site; kind++)
        site = sites_lookup(sites, i->code, kind);
    return site;
}

/* Instructions of a scaled address.  Those of shared memory have 32 bits, and
 * one shifts and adds.  Those of global memory have 64 bits, and registers 32:
 * two, for both halves.  The next access tells which one it is. */
static unsigned address_instructions(const struct sites *sites,
                                     const struct instruction_mix *mix,
                                     size_t at)
{
    const size_t end =
        at + NEAR_ACCESS < mix->count ? at + NEAR_ACCESS : mix->count;
    const struct site *site = NULL;

    for (size_t i = at + 1; i < end && !site; i++)
        if (mix->items[i].class == CLASS_MEMORY)
            site = access_site(sites, &mix->items[i]);
    return site && site->kind >= PATTERN_SHARED_LOAD
                   && site->kind <= PATTERN_SHARED_ATOMIC
               ? 1
               : 2;
}

static void add_instruction(struct kernel_profile *k,
                            const struct decoded_instruction *i,
                            const struct site *block, unsigned times)
{
    struct source_line source;
    struct line_profile *line;
    struct counters *c;

    softgpu_source_line(i->code, &source);
    if (is_runtime_instruction(i->class, &source)
        || !(line = line_of_source(k, &source)))
        return;
    c = &line->counters;
    if (i->class == CLASS_MATRIX
        || (line->multiplies && selects_registers(i->class)))
        return;
    if (is_matrix_instruction(&source) && is_flop(i->class)) {
        c->flop_tensor += block->thread_executions * i->width
                          << is_fma(i->class);
        return;
    }
    c->warp_instructions += times * block->warp_executions;
    c->thread_instructions += times * block->thread_executions;
    if (is_integer(i->class))
        c->integer_instructions += times * block->thread_executions;
    else if (i->class == CLASS_WARP_CALL)
        c->warp_calls
            += is_matrix_instruction(&source) ? 0 : block->warp_executions;
    else if (i->class == CLASS_BRANCH) {
        c->branches += block->warp_executions;
        c->branches_divergent += block->diverged;
    } else if (is_flop(i->class))
        add_flops(c, i->class, block->thread_executions * i->width,
                  source.header);
}

/* Mark the lines that multiply matrices. */
static void mark_products(struct kernel_profile *k, const struct sites *sites,
                          const struct instruction_mix *mix)
{
    for (size_t i = 0; i < mix->count; i++) {
        const struct decoded_instruction *one = &mix->items[i];
        struct source_line source;
        struct line_profile *line;

        if (one->class != CLASS_MATRIX
            || !sites_lookup(sites, one->block, SITE_BASIC_BLOCK))
            continue;
        softgpu_source_line(one->code, &source);
        if ((line = line_of_source(k, &source)))
            line->multiplies = 1;
    }
}

void kernel_add_instructions(struct kernel_profile *k,
                             const struct sites *sites,
                             const struct instruction_mix *mix)
{
    const struct decoded_instruction *branch = NULL;

    mark_products(k, sites, mix);
    for (size_t i = 0; i < mix->count; i++) {
        const struct decoded_instruction *one = &mix->items[i];
        const struct site *block =
            sites_lookup(sites, one->block, SITE_BASIC_BLOCK);
        int is_second_branch = branch && branch->block == one->block
                    && one->class == CLASS_BRANCH;

        if (!block || !block->warp_executions
            || (one->class == CLASS_MEMORY && !access_site(sites, one)))
            continue;
        /* the first branch of a block tells where its lanes went */
        if (!is_second_branch)
            add_instruction(k, one, block,
                            one->class == CLASS_ADDRESS
                                ? address_instructions(sites, mix, i)
                            : one->class == CLASS_DIVISION ? one->width
                                                           : 1);
        if (one->class == CLASS_BRANCH)
            branch = one;
    }
}
