/* SPDX-License-Identifier: MIT */
/* Classes of x86-64 instructions, by their mnemonics as objdump writes them. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "instruction_mix.h"

static bool has_prefix(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Is the mnemonic in a list of words that blanks separate?  A word may be
 * followed by one of the size suffixes b, w, l, q. */
static bool is_in_list(const char *name, const char *list)
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

static bool has_suffix(const char *name, const char *with)
{
    size_t n = strlen(name), m = strlen(with);

    return n >= m && strcmp(name + n - m, with) == 0;
}

/* AVX512-FP16: "vmulsh", "vaddph"; but "push". */
static bool is_half(const char *name)
{
    return *name == 'v' && (has_suffix(name, "sh") || has_suffix(name, "ph"));
}

/* The suffix tells scalar and packed types: "addss", "vmulsd", "sqrtps". */
static enum instruction_class classify_floating(const char *name)
{
    bool wide = has_suffix(name, "sd") || has_suffix(name, "pd");
    bool half = is_half(name);

    if (!wide && !half && !has_suffix(name, "ss") && !has_suffix(name, "ps"))
        return CLASS_NONE;
    name += *name == 'v';
    if (has_prefix(name, "mov") || has_prefix(name, "unpck")
        || has_prefix(name, "shuf"))
        return CLASS_NONE;
    if (has_prefix(name, "fm") || has_prefix(name, "fnm"))
        return wide ? CLASS_DOUBLE_FMA
               : half ? CLASS_HALF_FMA : CLASS_FLOAT_FMA;
    if (has_prefix(name, "adds") || has_prefix(name, "addp")
        || has_prefix(name, "sub") || has_prefix(name, "mul"))
        return wide ? CLASS_DOUBLE : half ? CLASS_HALF : CLASS_FLOAT;
    if (has_prefix(name, "div") || has_prefix(name, "sqrt")
        || has_prefix(name, "rcp") || has_prefix(name, "rsqrt"))
        return CLASS_SPECIAL;
    return CLASS_OTHER; /* max, min, ucomi, cvt, and, xor, ... */
}

/* Library functions that are one simple instruction on a GPU. */
static bool is_simple_function(const char *name)
{
    static const char *const known[] = {
        "mem", "fmax", "fmin", "fabs", "floor", "ceil", "trunc", "round",
        "rint", "nearbyint", "lrint", "lround", "copysign",
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (has_prefix(name, known[i]))
            return true;
    return false;
}

/* Calls, classified by the function's name in <...>. */
static enum instruction_class classify_call(const char *operand)
{
    static const char accesses[] = "__tsan_read __tsan_write __tsan_unaligned "
                                   "__tsan_volatile "
                                   "__tsan_atomic __tsan_mem "
                                   "softgpu_instrumented_atomic "
                                   "softgpu_copy_async";
    const char *name = strchr(operand, '<');
    size_t n;

    if (!name)
        return CLASS_OTHER;
    name++;
    for (const char *at = accesses; *at; at += strspn(at, " ")) {
        n = strcspn(at, " ");
        if (strncmp(name, at, n) == 0
            && !has_prefix(name, "__tsan_atomic_thread")
            && !has_prefix(name, "__tsan_atomic_signal"))
            return CLASS_MEMORY;
        at += n;
    }
    if (has_prefix(name, "softgpu_warp_") || has_prefix(name, "softgpu_active"))
        return CLASS_WARP_CALL;
    if (has_prefix(name, "softgpu_barrier"))
        return CLASS_OTHER;
    if (strstr(name, "multiply_by_warp") || strstr(name, "ptx_mma"))
        return CLASS_MATRIX;
    if (has_prefix(name, "softgpu") || has_prefix(name, "__tsan")
        || has_prefix(name, "__sanitizer") || has_prefix(name, "__ubsan"))
        return CLASS_NONE;
    n = strcspn(name, "@>+");
    if (n == 4 && has_prefix(name, "fmaf"))
        return CLASS_FLOAT_FMA;
    if (n == 3 && has_prefix(name, "fma"))
        return CLASS_DOUBLE_FMA;
    return *name == '_' || is_simple_function(name) ? CLASS_OTHER
                                                    : CLASS_SPECIAL;
}

/* "%eax,%eax": both operands are the same register. */
static bool is_self_operand(const char *operands)
{
    const char *comma = strchr(operands, ',');
    size_t n = comma ? (size_t)(comma - operands) : 0;

    return n && strncmp(operands, comma + 1, n) == 0 && !comma[1 + n];
}

/* An address of the form (base,index,scale) takes arithmetic on a GPU, too.  A
 * constant offset is part of the access. */
static bool is_scaled_address(const char *operands)
{
    const char *open = strchr(operands, '('), *end;

    end = open ? strchr(open, ')') : NULL;
    return end && memchr(open, ',', (size_t)(end - open));
}

static enum instruction_class classify_integer(const char *name,
                                               const char *operands)
{
    static const char known[] =
        "add sub imul mul and or xor not neg inc dec shl sal shr sar "
        "rol ror shld shrd cmp test adc sbb bt bts btr btc bsf bsr tzcnt "
        "lzcnt popcnt bswap andn paddd paddq psubd psubq pmuludq pand por "
        "pcmpeqd pslld psrld";

    if (strstr(operands, "%rsp"))
        return CLASS_NONE; /* stack pointer arithmetic */
    if (has_prefix(name, "add") && strstr(operands, "%fs:0x0,"))
        return CLASS_NONE; /* address of a thread-local variable */
    if (has_prefix(name, "lea"))
        return is_scaled_address(operands) ? CLASS_ADDRESS : CLASS_NONE;
    if (has_prefix(name, "cmov") || (has_prefix(name, "set") && name[3] != 's'))
        return CLASS_INTEGER;
    if (is_in_list(name, "div idiv"))
        return CLASS_DIVISION;
    if (!is_in_list(name, known))
        return CLASS_NONE;
    if ((has_prefix(name, "xor") || has_prefix(name, "sub"))
        && is_self_operand(operands))
        return CLASS_NONE; /* sets a register to 0 */
    return CLASS_INTEGER;
}

/* What nvdisasm lists for sm_75 and sm_90 (nvcc 13), less one addition: 18 and
 * 17 for the quotient or remainder of two unsigned, 25 of two int, 26 of two
 * size_t whose values have 32 bits. */
uint32_t division_instructions(const char *text)
{
    enum { UNSIGNED_DIVISION = 18, OTHER_DIVISION = 25 };
    char name[24] = "", operand[32] = "";
    size_t n;

    sscanf(text, "%23s %31s", name, operand);
    n = strlen(operand);
    if (strcmp(name, "divl") == 0
        || (strcmp(name, "div") == 0 && n
            && (operand[1] == 'e' || operand[n - 1] == 'd')))
        return UNSIGNED_DIVISION;
    return OTHER_DIVISION;
}

uint32_t vector_width(const char *text)
{
    const uint32_t bytes = strstr(text, "%zmm")   ? 64
                           : strstr(text, "%ymm") ? 32
                                                  : 16;
    char name[24] = "";

    sscanf(text, "%23s", name);
    if (has_suffix(name, "ps"))
        return bytes / 4;
    if (has_suffix(name, "ph"))
        return bytes / 2;
    return has_suffix(name, "pd") ? bytes / 8 : 1;
}

enum instruction_class classify_instruction(const char *text)
{
    char name[24] = "", operands[160] = "";
    enum instruction_class class;

    sscanf(text, "%23s %159[^#\n]", name, operands);
    if (has_prefix(name, "lock") || has_prefix(name, "rep")
        || has_prefix(name, "bnd"))
        sscanf(text, "%*s %23s %159[^#\n]", name, operands);
    for (size_t n = strlen(operands); n && operands[n - 1] == ' ';)
        operands[--n] = 0;
    if (has_prefix(name, "call"))
        return classify_call(operands);
    if (name[0] == 'j')
        return has_prefix(name, "jmp") ? CLASS_NONE : CLASS_BRANCH;
    class = classify_floating(name);
    return class == CLASS_NONE ? classify_integer(name, operands) : class;
}

struct decoded_instruction decode_instruction(const char *text, bool folded)
{
    struct decoded_instruction one = {.class = classify_instruction(text)};

    one.width = one.class == CLASS_DIVISION ? division_instructions(text)
                                            : vector_width(text);
    if (folded)
        one.class = one.class == CLASS_DIVISION ? CLASS_INTEGER : CLASS_NONE;
    return one;
}
