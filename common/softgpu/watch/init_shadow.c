/* SPDX-License-Identifier: MIT */
/* Initialized bytes of device memory that the runtime copies and fills. */
#include "initcheck.h"

#include <string.h>

#include "allocations.h"

/* Set the bits of some bytes of one word. */
static void set_bytes(struct allocation *m, size_t at, unsigned bytes,
                      unsigned init_mask)
{
    m->init_mask[at / 4] =
        (uint8_t)((m->init_mask[at / 4] & ~(bytes | bytes << 4))
                  | (init_mask & bytes));
}

/* Mark bytes [at, end) as initialized: the edges one by one. */
static void set_range(struct allocation *m, size_t at, size_t end)
{
    for (; at < end && at & 3; at++)
        set_bytes(m, at, 1u << (at & 3), 0xf);
    if (at < end) {
        memset(m->init_mask + at / 4, 0xf, (end - at) / 4);
        if (end & 3)
            set_bytes(m, end, (1u << (end & 3)) - 1, 0xf);
    }
}

/* Copy the bits of the bytes that were copied. */
static void copy_range(struct allocation *to, size_t at,
                       const struct allocation *from, size_t source,
                       size_t bytes)
{
    if (!((at | source | bytes) & 3)) {
        memmove(to->init_mask + at / 4, from->init_mask + source / 4,
                bytes / 4);
        return;
    }
    for (size_t i = 0; i < bytes; i++, at++, source++)
        set_bytes(to, at, 1u << (at & 3),
                  from->init_mask[source / 4] >> (source & 3) & 1 ? 0xf : 0);
}

/* Remember a cudaMemset, in place of one that began there. */
static void keep_fill(struct allocation *m, size_t at, size_t bytes,
                      uintptr_t site)
{
    unsigned i = 0;

    while (i < ALLOCATION_FILLS && (m->fill[i].end == 0 || m->fill[i].at != at))
        i++;
    if (i == ALLOCATION_FILLS)
        i = m->fills++ % ALLOCATION_FILLS;
    m->fill[i] = (struct memory_fill){site, at, at + bytes};
}

void initcheck_memset(const void *dst, size_t bytes, uintptr_t site)
{
    struct allocation *m = allocation_find((uintptr_t)dst, 0);
    const size_t allocated_bytes = m ? m->end - m->base : 0;

    if (!m)
        return;
    keep_fill(m, (uintptr_t)dst - m->base, bytes, site);
    if ((uintptr_t)dst != m->base)
        return;
    if (bytes * sizeof(float) == allocated_bytes
        || bytes * sizeof(double) == allocated_bytes)
        m->short_memset_at = site;
    else if (bytes == allocated_bytes)
        m->short_memset_at = 0;
}

void initcheck_copied(void *dst, const void *src, size_t bytes)
{
    struct allocation *to = allocation_find((uintptr_t)dst, 0);
    struct allocation *from = src ? allocation_find((uintptr_t)src, 0)
                               : NULL;
    size_t at = to ? (uintptr_t)dst - to->base : 0;

    if (!to || !to->init_mask || (uintptr_t)dst + bytes > to->end)
        return;
    if (from && from->init_mask && (uintptr_t)src + bytes <= from->end)
        copy_range(to, at, from, (uintptr_t)src - from->base, bytes);
    else
        set_range(to, at, at + bytes); /* host memory */
}

size_t initcheck_first_uninitialized(const void *p, size_t n)
{
    const struct allocation *m = allocation_find((uintptr_t)p, 0);
    const size_t at = m ? (uintptr_t)p - m->base : 0;
    size_t i = 0;

    if (!m || !m->init_mask || (uintptr_t)p + n > m->end)
        return n;
    while (i < n) {
        if ((m->init_mask[(at + i) / 4] & 0xf) == 0xf)
            i += 4 - ((at + i) & 3);
        else if (m->init_mask[(at + i) / 4] >> ((at + i) & 3) & 1)
            i++;
        else
            return i;
    }
    return n;
}
