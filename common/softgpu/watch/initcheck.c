/* SPDX-License-Identifier: MIT */
/* Initcheck of the words of an access. */
#include "initcheck.h"

#include "common/softgpu/core/source_line.h"
#include "race_report.h"
#include "shadow_words.h"

/* of watch.h's init_mask: bytes that kernels wrote */
enum { KERNEL_SHIFT = 4 };

/* The cudaMemset that began nearest before these bytes; NULL: none did, or one
 * has set them all. */
static const struct memory_fill *fill_before(const struct allocation *m,
                                             size_t at, size_t end)
{
    const struct memory_fill *nearest = NULL;

    for (unsigned i = 0; i < ALLOCATION_FILLS; i++) {
        const struct memory_fill *fill = &m->fill[i];

        if (fill->end == 0 || fill->at > at)
            continue;
        if (end <= fill->end)
            return NULL;
        if (!nearest || fill->at > nearest->at)
            nearest = fill;
    }
    return nearest;
}

/* Text: which bytes a cudaMemset has set. */
static void format_fill(char *text, size_t size, const struct access *a)
{
    const struct allocation *m = a->memory;
    const size_t at = m ? a->address - m->base : 0;
    const struct memory_fill *fill =
        m ? fill_before(m, at, at + a->bytes) : NULL;
    struct source_line line;

    *text = 0;
    if (!fill)
        return;
    softgpu_source_line(fill->site, &line);
    if (fill->at == 0)
        snprintf(text, size, ": byte %zu of its allocation, of which the "
                 "cudaMemset in line %d sets the first %zu", at, line.line,
                 fill->end);
    else
        snprintf(text, size, ": byte %zu of its allocation; the cudaMemset in "
                 "line %d sets %zu byte%s, from byte %zu on", at, line.line,
                 fill->end - fill->at, fill->end - fill->at == 1 ? "" : "s",
                 fill->at);
}

/* The store that the cell of a word of shared memory remembers, or 0. */
static uintptr_t store_to(const struct watch_block *w, size_t word)
{
    const struct access_record *last = &w->cells[word].head;

    return w->init_mask[word] >> 4 == w->first_interval
                   && last->interval >= w->first_interval
                   && last->threads & RECORD_WRITE
               ? race_full_pc(last->pc) : 0;
}

/* Text: where the block has stored near this word of shared memory.  Another
 * index, of a row or of a swizzle, is seldom far from it. */
static void format_near_store(char *text, size_t size, const struct access *a)
{
    enum { NEAR = 64 };
    const struct watch_block *w = a->block;
    const size_t word = (a->address - (uintptr_t)softgpu_tls.shared) / 4;
    struct source_line line;

    *text = 0;
    for (size_t far = 1; far <= NEAR && w->cells; far++) {
        const bool is_before = word >= far && store_to(w, word - far);
        const bool is_behind = word + far < w->words && store_to(w, word + far);

        if (!is_before && !is_behind)
            continue;
        softgpu_source_line(store_to(w, is_before ? word - far : word + far),
                            &line);
        if (line.line > 0)
            snprintf(text, size, ": near it, line %d stored the word that "
                     "begins %zu %s", line.line, far * 4,
                     is_before ? "bytes before" : "bytes behind");
        return;
    }
}

static void report_uninitialized(const struct access *a)
{
    char near[128];
    struct softgpu_finding finding =
        watch_make_finding(a, a->memory ? SOFTGPU_FIND_UNINIT_GLOBAL
                                        : SOFTGPU_FIND_UNINIT_SHARED);

    if (a->memory && a->memory->short_memset_at) {
        finding.kind = SOFTGPU_FIND_MEMSET_SIZE;
        finding.other = finding.pc;
        finding.pc = a->memory->short_memset_at;
        softgpu_report_finding(
            &finding, "cudaMemset takes a number of bytes: it ends inside "
                      "the allocation, and a kernel reads beyond that");
        return;
    }
    finding.other = a->memory ? a->memory->allocated_at : 0;
    if (!a->memory && a->block->returned)
        softgpu_report_finding(
            &finding, "%s of uninitialized memory; %u of the block's %u "
            "threads had returned before the last barrier: what they should "
            "have stored is missing",
            watch_access_text(a), a->block->returned, a->block->block->count);
    else {
        if (a->memory)
            format_fill(near, sizeof near, a);
        else
            format_near_store(near, sizeof near, a);
        softgpu_report_finding(&finding, "%s of uninitialized memory%s",
                               watch_access_text(a), near);
    }
}

/* Mask of the initialized bytes of a word. */
static unsigned shared_init_mask(const struct watch_block *w, size_t index)
{
    const uint32_t init_mask = w->init_mask[index];

    return init_mask >> 4 == w->first_interval ? init_mask & 0xf : 0;
}

static unsigned init_mask_of(const struct access *a, size_t index)
{
    return a->memory ? a->memory->init_mask[index] & 0xf
                     : shared_init_mask(a->block, index);
}

/* Did the host alone initialize bytes of the word, and not all that are read?
 * It copies and fills padding, too. */
static int is_partly_copied(const struct access *a, size_t index,
                            unsigned bytes)
{
    const unsigned mask = a->memory ? a->memory->init_mask[index] : 0;

    return mask & bytes && !(mask >> KERNEL_SHIFT & bytes);
}

/* A struct is copied by wide accesses, and the padding between its members is
 * never written.  So a read of what kernels wrote is a defect only when all
 * bytes of the access are uninitialized. */
static int reads_padding(const struct access *a)
{
    const uintptr_t base = a->memory ? a->memory->base
                                     : (uintptr_t)softgpu_tls.shared;
    const size_t end = a->address + a->bytes - base;

    if (a->flags & (ACCESS_WRITE | ACCESS_ATOMIC))
        return 0;
    for (size_t at = a->address - base; at < end; at = (at | 3) + 1)
        if (init_mask_of(a, at / 4) & shadow_byte_mask(at, end))
            return 1;
    return 0;
}

static void set_init_mask(const struct access *a, size_t index,
                          unsigned init_mask, unsigned bytes)
{
    if (a->memory)
        a->memory->init_mask[index] |=
            (uint8_t)(init_mask | bytes << KERNEL_SHIFT);
    else
        a->block->init_mask[index] = a->block->first_interval << 4 | init_mask;
}

int initcheck_word(const struct access *a, size_t index, unsigned bytes)
{
    unsigned init_mask;

    if (a->memory && !a->memory->init_mask)
        return 1; /* managed or pinned: the host may have written it */
    init_mask = init_mask_of(a, index);
    if ((init_mask & bytes) == bytes
        || (reads_padding(a) && !is_partly_copied(a, index, bytes)))
        return 1;
    if (!(a->flags & ACCESS_WRITE)) {
        report_uninitialized(a);
        return 0;
    }
    if (a->flags & ACCESS_ATOMIC && !(a->flags & ACCESS_STORE_ONLY))
        report_uninitialized(a);
    set_init_mask(a, index, init_mask | bytes, bytes);
    return 1;
}
