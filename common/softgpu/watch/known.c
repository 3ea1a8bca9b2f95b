/* SPDX-License-Identifier: MIT */
/* What the runtime itself copies and fills: which bytes hold a value then. */
#include <string.h>

#include "place.h"

/* Some bytes of one word now hold a value, or do not. */
static void mark(struct watched *w, size_t at, unsigned bytes, unsigned known)
{
    w->known[at / 4] = (uint8_t)((w->known[at / 4] & ~bytes)
                                 | (known & bytes));
}

/* Bytes [at, end) hold a value; all but the edges in one go. */
static void mark_all(struct watched *w, size_t at, size_t end)
{
    for (; at < end && at & 3; at++)
        mark(w, at, 1u << (at & 3), 0xf);
    if (at < end) {
        memset(w->known + at / 4, 0xf, (end - at) / 4);
        if (end & 3)
            mark(w, end, (1u << (end & 3)) - 1, 0xf);
    }
}

/* What is known of `from` holds for `to` now. */
static void mark_like(struct watched *to, size_t at, const struct watched *from,
                      size_t source, size_t bytes)
{
    if (!((at | source | bytes) & 3)) {
        memmove(to->known + at / 4, from->known + source / 4, bytes / 4);
        return;
    }
    for (size_t i = 0; i < bytes; i++, at++, source++)
        mark(to, at, 1u << (at & 3),
             from->known[source / 4] >> (source & 3) & 1 ? 0xf : 0);
}

void place_fill_asked(const void *dst, size_t bytes, uintptr_t site)
{
    struct watched *w = watch_find((uintptr_t)dst, 0);
    const size_t whole = w ? w->end - w->base : 0;

    if (!w || (uintptr_t)dst != w->base)
        return;
    if (bytes * sizeof(float) == whole || bytes * sizeof(double) == whole)
        w->short_fill = site;
    else if (bytes == whole)
        w->short_fill = 0;
}

void place_copied(void *dst, const void *src, size_t bytes)
{
    struct watched *to = watch_find((uintptr_t)dst, 0);
    struct watched *from = src ? watch_find((uintptr_t)src, 0) : NULL;
    size_t at = to ? (uintptr_t)dst - to->base : 0;

    if (!to || !to->known || (uintptr_t)dst + bytes > to->end)
        return;
    if (from && from->known && (uintptr_t)src + bytes <= from->end)
        mark_like(to, at, from, (uintptr_t)src - from->base, bytes);
    else
        mark_all(to, at, at + bytes); /* the host's memory is known */
}

size_t place_first_unknown(const void *p, size_t n)
{
    const struct watched *w = watch_find((uintptr_t)p, 0);
    const size_t at = w ? (uintptr_t)p - w->base : 0;
    size_t i = 0;

    if (!w || !w->known || (uintptr_t)p + n > w->end)
        return n;
    while (i < n) {
        if (w->known[(at + i) / 4] == 0xf)
            i += 4 - ((at + i) & 3);
        else if (w->known[(at + i) / 4] >> ((at + i) & 3) & 1)
            i++;
        else
            return i;
    }
    return n;
}
