/* SPDX-License-Identifier: MIT */
/* Classes of x86-64 instructions, by their names as objdump writes them. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mix.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Is the name one of the words in a list that blanks separate?  A word may
 * have one of the size letters b, w, l, q behind it. */
static bool is_one_of(const char *name, const char *list)
{
    size_t length = strlen(name);

    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");

        if (strncmp(name, at, n) == 0
            && (length == n
                || (length == n + 1 && strchr("bwlq", name[n]))))
            return true;
        at += n;
    }
    return false;
}

static bool ends(const char *name, const char *with)
{
    size_t n = strlen(name), m = strlen(with);

    return n >= m && strcmp(name + n - m, with) == 0;
}

/* "addss", "vmulsd", "sqrtps" ...: scalar or packed, the end tells. */
static enum mix_class floating(const char *name)
{
    bool wide = ends(name, "sd") || ends(name, "pd");

    if (!wide && !ends(name, "ss") && !ends(name, "ps"))
        return MIX_NONE;
    name += *name == 'v';
    if (begins(name, "mov") || begins(name, "unpck") || begins(name, "shuf"))
        return MIX_NONE;
    if (begins(name, "fm") || begins(name, "fnm"))
        return wide ? MIX_DOUBLE2 : MIX_FLOAT2;
    if (begins(name, "adds") || begins(name, "addp") || begins(name, "sub")
        || begins(name, "mul"))
        return wide ? MIX_DOUBLE : MIX_FLOAT;
    if (begins(name, "div") || begins(name, "sqrt") || begins(name, "rcp")
        || begins(name, "rsqrt"))
        return MIX_SPECIAL;
    return MIX_OTHER; /* max, min, ucomi, cvt, and, xor, ... */
}

/* Functions of the library that are one simple instruction on a card. */
static bool is_cheap(const char *name)
{
    static const char *const known[] = {
        "mem", "fmax", "fmin", "fabs", "floor", "ceil", "trunc", "round",
        "rint", "nearbyint", "lrint", "lround", "copysign",
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begins(name, known[i]))
            return true;
    return false;
}

/* Functions: by the name in <...> behind a call. */
static enum mix_class called(const char *operand)
{
    static const char accesses[] =
        "__tsan_read __tsan_write __tsan_unaligned __tsan_volatile "
        "__tsan_atomic __tsan_mem softgpu_watched_atomic softgpu_copy_later";
    const char *name = strchr(operand, '<');
    size_t n;

    if (!name)
        return MIX_OTHER;
    name++;
    for (const char *at = accesses; *at; at += strspn(at, " ")) {
        n = strcspn(at, " ");
        if (strncmp(name, at, n) == 0
            && !begins(name, "__tsan_atomic_thread")
            && !begins(name, "__tsan_atomic_signal"))
            return MIX_ACCESS;
        at += n;
    }
    if (begins(name, "softgpu_warp_") || begins(name, "softgpu_active"))
        return MIX_WARP;
    if (begins(name, "softgpu_barrier"))
        return MIX_OTHER;
    if (begins(name, "softgpu") || begins(name, "__tsan")
        || begins(name, "__sanitizer") || begins(name, "__ubsan"))
        return MIX_NONE;
    n = strcspn(name, "@>+");
    if (n == 4 && begins(name, "fmaf"))
        return MIX_FLOAT2;
    if (n == 3 && begins(name, "fma"))
        return MIX_DOUBLE2;
    return *name == '_' || is_cheap(name) ? MIX_OTHER : MIX_SPECIAL;
}

/* "%eax,%eax": both operands the same. */
static bool same_twice(const char *operands)
{
    const char *comma = strchr(operands, ',');
    size_t n = comma ? (size_t)(comma - operands) : 0;

    return n && strncmp(operands, comma + 1, n) == 0 && !comma[1 + n];
}

/* An address of the form (base,index,scale) takes a multiply and an add on a
 * card, too; a constant offset is part of the access. */
static bool scales(const char *operands)
{
    const char *open = strchr(operands, '('), *end;

    end = open ? strchr(open, ')') : NULL;
    return end && memchr(open, ',', (size_t)(end - open));
}

static enum mix_class integer(const char *name, const char *operands)
{
    static const char known[] =
        "add sub imul mul div idiv and or xor not neg inc dec shl sal shr sar "
        "rol ror shld shrd cmp test adc sbb bt bts btr btc bsf bsr tzcnt "
        "lzcnt popcnt bswap andn paddd paddq psubd psubq pmuludq pand por "
        "pcmpeqd pslld psrld";

    if (strstr(operands, "%rsp"))
        return MIX_NONE; /* of the stack */
    if (begins(name, "lea"))
        return scales(operands) ? MIX_INTEGER : MIX_NONE;
    if (begins(name, "cmov") || (begins(name, "set") && name[3] != 's'))
        return MIX_INTEGER;
    if (!is_one_of(name, known))
        return MIX_NONE;
    if ((begins(name, "xor") || begins(name, "sub")) && same_twice(operands))
        return MIX_NONE; /* 0 */
    return MIX_INTEGER;
}

uint32_t mix_width(const char *text)
{
    const uint32_t bytes = strstr(text, "%zmm")   ? 64
                           : strstr(text, "%ymm") ? 32
                                                  : 16;
    char name[24] = "";

    sscanf(text, "%23s", name);
    if (ends(name, "ps"))
        return bytes / 4;
    return ends(name, "pd") ? bytes / 8 : 1;
}

enum mix_class mix_classify(const char *text)
{
    char name[24] = "", operands[160] = "";
    enum mix_class class;

    sscanf(text, "%23s %159[^#\n]", name, operands);
    if (begins(name, "lock") || begins(name, "rep") || begins(name, "bnd"))
        sscanf(text, "%*s %23s %159[^#\n]", name, operands);
    for (size_t n = strlen(operands); n && operands[n - 1] == ' ';)
        operands[--n] = 0;
    if (begins(name, "call"))
        return called(operands);
    if (name[0] == 'j')
        return begins(name, "jmp") ? MIX_NONE : MIX_BRANCH;
    class = floating(name);
    return class == MIX_NONE ? integer(name, operands) : class;
}
