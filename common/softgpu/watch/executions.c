/* SPDX-License-Identifier: MIT */
/* Executions of basic blocks by thread.  A site's number is the order in which
 * the program's threads first entered it. */
#include "executions.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "happens_before.h"

static bool is_on;
static _Atomic uintptr_t site_pc[EXECUTIONS_SITES];
static executions *counted; /* of the last launch; NULL: not known */
static struct {
    uint32_t first_tag, block_threads;
    uint64_t blocks;
} launch;

void executions_init(void)
{
    const char *text = getenv("SOFTGPU_EXECUTIONS");

    is_on = text && *text && strcmp(text, "0") != 0;
}

void executions_begin_grid(const struct run *run)
{
    const dim3 b = run->grid->block;
    const uint64_t threads = run->blocks * b.x * b.y * b.z;

    if (!is_on)
        return;
    free(counted);
    counted = NULL;
    if (threads <= EXECUTIONS_THREADS && !run->grid->depth)
        counted = calloc(threads, sizeof *counted);
    launch.first_tag = hb_launch_number;
    launch.block_threads = b.x * b.y * b.z;
    launch.blocks = run->blocks;
}

/* The site of a pc, a new one if need be; EXECUTIONS_SITES: no room. */
static unsigned find_site(uintptr_t pc)
{
    unsigned i = 0;

    for (; i < EXECUTIONS_SITES; i++) {
        uintptr_t known =
            atomic_load_explicit(&site_pc[i], memory_order_relaxed);

        if (known == pc
            || (!known
                && (atomic_compare_exchange_strong(&site_pc[i], &known, pc)
                    || known == pc)))
            break;
    }
    return i;
}

void executions_count(uintptr_t pc, uintptr_t frame)
{
    const struct softgpu_block *block = softgpu_tls.block;
    uint16_t *count;
    unsigned site;

    (void)frame;
    if (!counted || !block || block->linear >= launch.blocks)
        return;
    site = find_site(pc);
    if (site == EXECUTIONS_SITES)
        return;
    count = &counted[block->linear * launch.block_threads
                     + (uint64_t)(softgpu_tls.thread - block->threads)][site];
    *count = (uint16_t)(*count + (*count < UINT16_MAX));
}

const uint16_t *softgpu_executions_of(uint32_t tag, uint32_t block,
                                      uint32_t thread)
{
    if (!counted || tag < launch.first_tag || block >= launch.blocks
        || thread >= launch.block_threads)
        return NULL;
    return counted[(uint64_t)block * launch.block_threads + thread];
}

uint32_t softgpu_executions_block_threads(void)
{
    return launch.block_threads;
}

void softgpu_executions_line(unsigned site, struct source_line *line)
{
    *line = (struct source_line){0};
    if (site < EXECUTIONS_SITES && site_pc[site])
        softgpu_source_line(site_pc[site], line);
}
