/* SPDX-License-Identifier: MIT */
/* Watcher: the program's variables.  Those of the device are registered; the
 * host's lie among them.  Which one a stray address was meant for is told by
 * what the same line of code used before. */
#include "symbol.h"

#include <string.h>

#include "../core/symbols.h"
#include "lines.h"
#include "place.h"

enum { RECENT = 64, NEAR = 1 << 12 };

extern char __data_start[] __attribute__((weak)); /* what precedes it is
                                                     constant: literals */

/** The variable that a line of code used last. */
static SOFTGPU_TLS struct {
    uintptr_t code;
    const struct softgpu_symbol *symbol;
    uintptr_t let; /* what else it may use */
} recent[RECENT];

static int holds(const struct softgpu_symbol *s, const struct access *a)
{
    const uintptr_t at = a->address - (uintptr_t)s->address;

    return at < s->bytes && a->bytes <= s->bytes - at;
}

/* The nearest variable that ends before the address. */
struct nearest {
    uintptr_t address;
    const struct softgpu_symbol *symbol;
};

static void look(const struct softgpu_symbol *s, void *context)
{
    struct nearest *n = context;
    const uintptr_t end = (uintptr_t)s->address + s->bytes;

    if (end <= n->address && n->address - end < NEAR
        && (!n->symbol || s->address > n->symbol->address))
        n->symbol = s;
}

static int find_outside(const struct access *a, const struct softgpu_symbol *s)
{
    const uintptr_t begin = (uintptr_t)s->address, end = begin + s->bytes;
    struct softgpu_sighting seen =
        watch_sighting(a, SOFTGPU_FIND_OUT_OF_BOUNDS);

    if (a->address >= end)
        softgpu_find(&seen, "%s, %zu bytes past the end of %s, which has %zu",
                     watch_words(a), (size_t)(a->address - end), s->name,
                     s->bytes);
    else if (a->address < begin)
        softgpu_find(&seen, "%s, %zu bytes before the begin of %s",
                     watch_words(a), (size_t)(begin - a->address), s->name);
    else
        softgpu_find(&seen, "%s crosses the end of %s, which has %zu bytes",
                     watch_words(a), s->name, s->bytes);
    return 1;
}

/* "_ZL4data" is a static variable `data`. */
static const char *plain_name(const char *linked)
{
    const char *p = linked;

    if (strncmp(p, "_ZL", 3))
        return linked;
    p += 3;
    return p + strspn(p, "0123456789");
}

static int find_host(const struct access *a, const char *name)
{
    struct softgpu_sighting seen =
        watch_sighting(a, SOFTGPU_FIND_HOST_POINTER);

    softgpu_find(&seen, "%s of the host's variable %s: kernels have "
                        "__device__ variables and their parameters",
                 watch_words(a), plain_name(name));
    return 1;
}

/* What the runtime keeps of variables and kernels, which compilers put right
 * behind those: no kernel uses it. */
static int is_record(const char *name)
{
    return strstr(name, "softgpu_v") || strstr(name, "softgpu10registered")
           || strstr(name, "softgpu9kernel_of");
}

/* Static variables of functions are the device's where the function is; and
 * the runtime has some that its headers use. */
static int may_be_used(const char *name)
{
    return !is_record(name)
           && (!strncmp(name, "_ZZ", 3) || !strncmp(name, "_ZG", 3)
               || !strncmp(name, "_ZT", 3) || strstr(name, "softgpu"));
}

/* It is no device variable's. */
static int judge_stray(const struct access *a, const struct softgpu_symbol *used)
{
    struct nearest n = {.address = a->address};
    char name[256];

    if (!__data_start || a->address < (uintptr_t)__data_start
        || softgpu_symbols_left_out())
        return 0;
    softgpu_variable_at(a->address, name, sizeof name);
    softgpu_each_symbol(look, &n);
    if (may_be_used(name) && (!n.symbol || n.symbol != used))
        return 0;
    if (used)
        return find_outside(a, used);
    if (name[0] && !is_record(name))
        return find_host(a, name);
    return n.symbol ? find_outside(a, n.symbol) : 0;
}

int symbol_judge(const struct access *a)
{
    const size_t slot = a->code * 0x9E3779B97F4A7C15u >> 58;
    const int known = recent[slot].code == a->code;
    const struct softgpu_symbol *used = known ? recent[slot].symbol : NULL;
    const struct softgpu_symbol *now;

    if ((used && holds(used, a)) || !watch_is_program(a->address)
        || (known && recent[slot].let == a->address))
        return 0; /* the runtime's own: parameters, threadIdx */
    now = softgpu_symbol_at((const void *)a->address);
    if (!now && judge_stray(a, used))
        return 1;
    if (!now) { /* no need to ask again */
        recent[slot].symbol = used;
        recent[slot].code = a->code;
        recent[slot].let = a->address;
        return 0;
    }
    if (!holds(now, a))
        return find_outside(a, now);
    recent[slot].code = a->code;
    recent[slot].symbol = now;
    return 0;
}
