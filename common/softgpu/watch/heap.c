/* SPDX-License-Identifier: MIT */
/* The C library's functions that a program's own code calls.  A checked
 * program is linked with --wrap for each.  The heap that a kernel's malloc and
 * new take from is the host's; what a kernel took is its own all the same.
 * memcpy and its like access memory where no compiler sees it. */
#include <stdatomic.h>
#include <stdlib.h>

#include "../core/fault.h"
#include "modes.h"
#include "place.h"

void *__real_malloc(size_t bytes);
void __real_free(void *p);

static _Atomic size_t live; /* blocks of kernels */
static SOFTGPU_TLS int inside;

static void *take(size_t bytes, uintptr_t site)
{
    void *p = __real_malloc(bytes);

    if (!p || !softgpu_tls.block || inside
        || !softgpu_text_is_user((const void *)site))
        return p;
    inside = 1;
    place_heap(p, bytes, site);
    atomic_fetch_add(&live, 1);
    inside = 0;
    return p;
}

static void give(void *p, uintptr_t site)
{
    if (p && !inside && atomic_load(&live)) {
        inside = 1;
        place_heap_freed(p, site);
        inside = 0;
    }
    __real_free(p);
}

#define SITE ((uintptr_t)__builtin_return_address(0))

void *__wrap_malloc(size_t bytes)
{
    return take(bytes, SITE);
}

void __wrap_free(void *p)
{
    give(p, SITE);
}

/* C++: operator new and delete, plain and for arrays. */

void *_Znwm(size_t bytes)
{
    void *p = take(bytes ? bytes : 1, SITE);

    if (!p)
        abort(); /* no exceptions in a kernel; a host this far is lost */
    return p;
}

void *_Znam(size_t bytes)
{
    void *p = take(bytes ? bytes : 1, SITE);

    if (!p)
        abort();
    return p;
}

void _ZdlPv(void *p) { give(p, SITE); }
void _ZdaPv(void *p) { give(p, SITE); }
void _ZdlPvm(void *p, size_t bytes) { (void)bytes, give(p, SITE); }
void _ZdaPvm(void *p, size_t bytes) { (void)bytes, give(p, SITE); }

/* --- memory is copied and filled --------------------------------------------- */

void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int value, size_t bytes);

/* Only what a device or a kernel owns: the runtime, too, ends up here. */
static void show_one(const void *p, size_t bytes, uint32_t flags,
                     uintptr_t site)
{
    if ((softgpu_tls.block && softgpu_is_shared(p))
        || watch_is_device_address((uintptr_t)p))
        check_range(p, bytes, flags, site);
}

static void show(const void *from, const void *to, size_t bytes, uintptr_t site)
{
    if (!softgpu_text_is_user((const void *)site))
        return;
    if (from)
        show_one(from, bytes, 0, site);
    show_one(to, bytes, ACCESS_WRITE, site);
}

void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    show(from, to, bytes, SITE);
    return __real_memcpy(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
    show(from, to, bytes, SITE);
    return __real_memmove(to, from, bytes);
}

void *__wrap_memset(void *to, int value, size_t bytes)
{
    show(NULL, to, bytes, SITE);
    return __real_memset(to, value, bytes);
}
