/* SPDX-License-Identifier: MIT */
/* Bounds check of static variables.  __device__ and __constant__ variables are
 * registered with the runtime; host variables are between them.  An access
 * outside belongs to the variable that the same instruction accessed before. */
#include "symbol_check.h"

#include <pthread.h>
#include <string.h>

#include "common/softgpu/core/code_range.h"
#include "common/softgpu/core/source_line.h"
#include "common/softgpu/core/symbols.h"
#include "allocations.h"
#include "stream_race.h"

enum { RECENT_ENTRIES = 64, MAX_DISTANCE = 1 << 12 };

extern char __data_start[] __attribute__((weak)); /* what precedes it is
                                                     constant: literals */

/** The variable that an instruction accessed last. */
static SOFTGPU_TLS struct {
    uintptr_t pc;
    const struct softgpu_symbol *symbol;
    uintptr_t allowed; /* an address that is no registered variable */
    int is_static;     /* that one is a static variable of a function */
} recent[RECENT_ENTRIES];

/** The program's static data. */
static struct allocation *shadow;

static void make_shadow(void)
{
    const uintptr_t base = (uintptr_t)__data_start & ~(uintptr_t)63;

    if (base)
        shadow = allocation_make_shadow(base, (uintptr_t)&_end);
}

static struct allocation *shadow_at(uintptr_t address)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_shadow);
    return shadow && address - shadow->base < shadow->end - shadow->base
               ? shadow : NULL;
}

/* Let racecheck see the access: it is one to a variable of kernels. */
static void set_shadow(struct access *a)
{
    a->memory = shadow_at(a->address);
}

struct allocation *symbol_memory(uintptr_t address)
{
    return softgpu_symbol_at((const void *)address) ? shadow_at(address) : NULL;
}

static int contains(const struct softgpu_symbol *s, const struct access *a)
{
    const uintptr_t at = a->address - (uintptr_t)s->address;

    return at < s->bytes && a->bytes <= s->bytes - at;
}

/* The nearest registered variable that ends before an address. */
struct nearest {
    uintptr_t address;
    const struct softgpu_symbol *symbol;
};

static void consider_symbol(const struct softgpu_symbol *s, void *context)
{
    struct nearest *n = context;
    const uintptr_t end = (uintptr_t)s->address + s->bytes;

    if (end <= n->address && n->address - end < MAX_DISTANCE
        && (!n->symbol || s->address > n->symbol->address))
        n->symbol = s;
}

static int report_outside_symbol(const struct access *a,
                                 const struct softgpu_symbol *s)
{
    const uintptr_t begin = (uintptr_t)s->address, end = begin + s->bytes;
    struct softgpu_finding finding =
        watch_make_finding(a, SOFTGPU_FIND_OUT_OF_BOUNDS);

    if (a->address >= end)
        softgpu_report_finding(
            &finding, "%s, %zu bytes past the end of %s, which has %zu",
            watch_access_text(a), (size_t)(a->address - end), s->name,
            s->bytes);
    else if (a->address < begin)
        softgpu_report_finding(&finding, "%s, %zu bytes before the start of %s",
                               watch_access_text(a),
                               (size_t)(begin - a->address), s->name);
    else
        softgpu_report_finding(&finding,
                               "%s crosses the end of %s, which has %zu bytes",
                               watch_access_text(a), s->name, s->bytes);
    return 1;
}

/* "_ZL4data" is a static variable `data`. */
static const char *source_name(const char *linked)
{
    const char *p = linked;

    if (strncmp(p, "_ZL", 3))
        return linked;
    p += 3;
    return p + strspn(p, "0123456789");
}

static int report_host_variable(const struct access *a, const char *name)
{
    struct softgpu_finding finding =
        watch_make_finding(a, SOFTGPU_FIND_HOST_POINTER);

    softgpu_report_finding(&finding,
                           "%s of the host's variable %s: kernels have "
                           "__device__ variables and their parameters",
                           watch_access_text(a), source_name(name));
    return 1;
}

/* The runtime's records of variables and kernels are next to those in memory.
 * No kernel accesses them. */
static int is_runtime_record(const char *name)
{
    return strstr(name, "softgpu_v") || strstr(name, "softgpu10registered")
           || strstr(name, "softgpu9kernel_of");
}

/* Static variables of a device function (_ZZ), compiler-made ones, and those of
 * the runtime's headers are not registered. */
static int is_allowed_variable(const char *name)
{
    return !is_runtime_record(name)
           && (!strncmp(name, "_ZZ", 3) || !strncmp(name, "_ZG", 3)
               || !strncmp(name, "_ZT", 3) || strstr(name, "softgpu"));
}

/* The address is in no registered variable. */
static int check_unregistered(const struct access *a,
                              const struct softgpu_symbol *used)
{
    struct nearest n = {.address = a->address};
    char name[256];

    if (!__data_start || a->address < (uintptr_t)__data_start
        || softgpu_has_unlisted_symbols())
        return 0;
    softgpu_variable_at(a->address, name, sizeof name);
    softgpu_for_each_symbol(consider_symbol, &n);
    if (is_allowed_variable(name) && (!n.symbol || n.symbol != used))
        return 0;
    if (used)
        return report_outside_symbol(a, used);
    if (name[0] && !is_runtime_record(name))
        return report_host_variable(a, name);
    return n.symbol ? report_outside_symbol(a, n.symbol) : 0;
}

/* A variable that is declared in a function of the program. */
static int is_function_static(uintptr_t address)
{
    char name[256];

    softgpu_variable_at(address, name, sizeof name);
    return !strncmp(name, "_ZZ", 3) && !strstr(name, "softgpu");
}

/* An access to no registered variable. */
static int check_other(struct access *a, size_t slot)
{
    const int is_recent = recent[slot].pc == a->pc;
    const struct softgpu_symbol *used = is_recent ? recent[slot].symbol : NULL;

    if (!is_recent || recent[slot].allowed != a->address) {
        if (check_unregistered(a, used))
            return 1;
        recent[slot].symbol = used;
        recent[slot].pc = a->pc;
        recent[slot].allowed = a->address;
        recent[slot].is_static = is_function_static(a->address);
    }
    if (recent[slot].is_static)
        set_shadow(a);
    return 0;
}

int symbol_check(struct access *a)
{
    const size_t slot = a->pc * 0x9E3779B97F4A7C15u >> 58;
    const struct softgpu_symbol *found =
        recent[slot].pc == a->pc ? recent[slot].symbol : NULL;

    if (!found || !contains(found, a))
        found = softgpu_symbol_at((const void *)a->address);
    if (!found)
        return check_other(a, slot);
    if (!contains(found, a))
        return report_outside_symbol(a, found);
    recent[slot].pc = a->pc;
    recent[slot].symbol = found;
    if (found->kind != SOFTGPU_CONSTANT_VARIABLE || stream_race_has_streams)
        set_shadow(a); /* kernels only read constants, but copies write them */
    return 0;
}
