/* SPDX-License-Identifier: MIT */
/* Inline PTX: from a template to C++ statements, an instruction at a time.
 * `.reg` declares C++ variables, braces are scopes, `@p` is an if.  Labels,
 * branches and whatever the table lacks are refused. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

/* One translation. */
struct translation {
    struct buffer *to;
    int operands;     /* of the asm statement */
    char why[256];    /* it is refused; "" if not */
    bool is_shared;   /* the instruction is qualified by .shared */
    int depth;        /* of open scopes */
};

/* Refuse the template; the first reason counts. */
static bool refuse(struct translation *t, const char *what, const char *why)
{
    if (!t->why[0])
        snprintf(t->why, sizeof t->why, "%.100s: %s", what, why);
    return false;
}

/* Without blanks at both ends. */
static char *trimmed(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    size_t n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1]))
        s[--n] = 0;
    return s;
}

/* Blank the comments. */
static void remove_comments(char *s)
{
    for (; *s; s++) {
        if (s[0] == '/' && s[1] == '/')
            while (*s && *s != '\n')
                *s++ = ' ';
        else if (s[0] == '/' && s[1] == '*') {
            char *end = strstr(s, "*/");
            while (*s && s != end + 2)
                *s++ = ' ';
        }
        if (!*s)
            return;
    }
}

/* --- operands ------------------------------------------------------------- */

/* 0f and 0d with 8 or 16 hexadecimal digits: the bits of a float or a
 * double. */
static bool append_bits(struct translation *t, const char *s)
{
    const bool is_float = s[1] == 'f' || s[1] == 'F';
    const size_t digits = strspn(s + 2, "0123456789abcdefABCDEF");
    if (s[2 + digits] || digits != (is_float ? 8 : 16))
        return refuse(t, s, "this number is not one of PTX");
    buffer_printf(t->to, "softgpu::ptx::%s_bits(0x%su%s)",
                  is_float ? "float" : "double", s + 2, is_float ? "" : "ll");
    return true;
}

/* An integer as it is; 0f and 0d give the bits of a float or a double. */
static bool append_number(struct translation *t, const char *s)
{
    char *end;
    if (s[0] == '0' && s[1] && strchr("fFdD", s[1]))
        return append_bits(t, s);
    (void)strtoll(s, &end, 0);
    if (*end == 'U')
        end++;
    if (*end)
        return refuse(t, s, "this operand is not on the software GPU");
    buffer_printf(t->to, "%s", s);
    return true;
}

/* Is it a name of a register? */
static bool is_name(const char *s)
{
    const char *p = s;
    while (isalnum((unsigned char)*p) || *p == '_' || *p == '$')
        p++;
    return p > s && !*p;
}

/* %0, %%laneid, a number, or the name of a register. */
static bool append_value(struct translation *t, const char *s)
{
    if (s[0] == '%' && isdigit((unsigned char)s[1])) {
        if (atoi(s + 1) >= t->operands)
            return refuse(t, s, "the statement has no such operand");
        buffer_printf(t->to, "softgpu_p%d", atoi(s + 1));
        return true;
    }
    if (s[0] == '%') {
        const char *name = s + strspn(s, "%");
        const char *function = special_register(name);
        if (!function)
            return refuse(t, s, "this register is not on the software GPU");
        buffer_printf(t->to, "softgpu::ptx::%s()", function);
        return true;
    }
    if (s[0] == '!' && s[1]) {
        buffer_printf(t->to, "!");
        return append_value(t, s + 1);
    }
    if (isdigit((unsigned char)s[0]) || s[0] == '-')
        return append_number(t, s);
    if (!is_name(s))
        return refuse(t, s, "this operand is not on the software GPU");
    buffer_printf(t->to, "softgpu_r_%s", s);
    return true;
}

/* [value+offset] */
static bool append_address(struct translation *t, char *s)
{
    char *end = strrchr(s, ']');
    if (!end || end[1])
        return refuse(t, s, "this address is not on the software GPU");
    *end = 0;
    char *plus = strchr(s + 1, '+');
    if (plus)
        *plus = 0;
    buffer_printf(t->to, "softgpu::ptx::%s(",
                  t->is_shared ? "shared_address" : "address");
    if (!append_value(t, trimmed(s + 1)))
        return false;
    buffer_printf(t->to, ", %ld)", plus ? strtol(plus + 1, NULL, 0) : 0L);
    return true;
}

/* An address or a value. */
static bool append_operand(struct translation *t, char *s)
{
    return s[0] == '[' ? append_address(t, s) : append_value(t, s);
}

/* Split at commas, and at the bar of two results, as in r|p; braces around
 * vectors are dropped.
 * @return how many parts */
static int split_operands(char *s, char **parts)
{
    int n = 0;
    for (char *p = s; *p; p++)
        if (*p == '{' || *p == '}')
            *p = ' ';
    for (char *word; (word = strsep(&s, ",|")) != NULL && n < PTX_OPERANDS;) {
        word = trimmed(word);
        if (*word)
            parts[n++] = word;
    }
    return n;
}

/* --- instructions --------------------------------------------------------- */

/* An opcode taken apart. */
struct opcode {
    char name[PTX_WORD];  /* without types and what has no effect */
    const char *types[3]; /* of C++ */
    char letter;          /* of the first type: b u s f p */
    int type_count;
    bool acquires, releases, of_block; /* memory order and scope */
};

/* An access with a memory order is a relaxed one with fences. */
static void read_order(struct opcode *o, const char *word)
{
    const bool may = strcmp(o->name, "fence") != 0;
    const bool both = may && strcmp(word, "acq_rel") == 0;
    o->acquires |= both || (may && strcmp(word, "acquire") == 0);
    o->releases |= both || (may && strcmp(word, "release") == 0);
    o->of_block |= strcmp(word, "cta") == 0;
}

/* Take an opcode apart. */
static bool read_opcode(struct translation *t, char *text, struct opcode *o)
{
    char *rest = text;
    *o = (struct opcode){ .letter = 0 };
    t->is_shared = false;
    for (const char *word; (word = strsep(&rest, ".")) != NULL;) {
        const char *type = o->name[0] ? ptx_type(word) : NULL;
        if (type && o->type_count == 3)
            return refuse(t, o->name, "this instruction is not on the "
                                      "software GPU");
        if (type) {
            o->letter = o->type_count ? o->letter : word[0];
            o->types[o->type_count++] = type;
            continue;
        }
        t->is_shared |= strncmp(word, "shared", 6) == 0;
        read_order(o, word);
        word = polling_modifier(o->name, word);
        const bool is_address = strncmp(o->name, "cvta", 4) == 0;
        if (is_ignored_modifier(word) && !(is_address && t->is_shared)
            && !is_scope_of_fence(o->name, word))
            continue;
        const size_t n = strlen(o->name);
        snprintf(o->name + n, sizeof o->name - n, "%s%s", n ? "." : "", word);
    }
    return true;
}

/* cvt: two types; to an integer from a float only with a rounding. */
static bool append_conversion(struct translation *t, const struct opcode *o)
{
    const bool nearest = strcmp(o->name, "cvt.rni") == 0;
    if (o->type_count != 2
        || (!nearest && strcmp(o->name, "cvt") && strcmp(o->name, "cvt.rzi")))
        return refuse(t, o->name, "this conversion is not on the software GPU");
    buffer_printf(t->to, "softgpu::ptx::%s<%s, %s>(",
                  nearest ? "cvt_rni" : "cvt", o->types[0], o->types[1]);
    return true;
}

/* The call of an instruction, up to its operands. */
static bool append_function(struct translation *t, const struct opcode *o,
                            int operands)
{
    if (strncmp(o->name, "cvt", 3) == 0 && o->name[3] != 'a')
        return operands == 2 && append_conversion(t, o);
    if (o->type_count == 3 && (operands == 3 || operands == 4)
        && append_video(o->name, o->types, t->to))
        return true;
    const struct ptx_instruction *i =
        find_ptx_instruction(o->name, operands);
    if (!i || (i->types[0] && (!o->letter || !strchr(i->types, o->letter)))
        || o->type_count > 1)
        return refuse(t, o->name, "this instruction of inline PTX is not on "
                                  "the software GPU; write it in CUDA C++ or "
                                  "with an intrinsic");
    if (i->operands != operands)
        return refuse(t, o->name, "the number of operands is not that of the "
                                  "software GPU's form");
    if (i->types[0])
        buffer_printf(t->to, "softgpu::ptx::%s<%s>(", i->function, o->types[0]);
    else
        buffer_printf(t->to, "softgpu::ptx::%s(", i->function);
    if (i->carries)
        buffer_printf(t->to, "softgpu_carry, ");
    return true;
}

/* .reg .u32 a, b; */
static bool declare(struct translation *t, char *s)
{
    char *parts[PTX_OPERANDS];
    char *type = trimmed(s + strlen(".reg"));
    char *names = type + strcspn(type, " \t\n");
    if (*names)
        *names++ = 0;
    const char *of = type[0] == '.' ? ptx_type(type + 1) : NULL;
    const int n = of ? split_operands(names, parts) : 0;
    if (!n)
        return refuse(t, type, "this type is not on the software GPU");
    for (int i = 0; i < n; i++) {
        if (strpbrk(parts[i], "<%"))
            return refuse(t, parts[i], "families of registers are not on the "
                                       "software GPU");
        if (!is_name(parts[i]))
            return refuse(t, parts[i], "this is no name of a register");
        buffer_printf(t->to, "%s softgpu_r_%s{}; ", of, parts[i]);
    }
    return true;
}

/* @p or @!p before an instruction.  @return what follows it, or NULL */
static char *read_guard(struct translation *t, char *s)
{
    char *end = s + strcspn(s, " \t\n");
    const char *open = s[1] == '!' ? "if (!(" : "if ((";
    if (!*end)
        return NULL;
    *end = 0;
    buffer_printf(t->to, "%s", open);
    if (!append_value(t, s + 1 + (s[1] == '!')))
        return NULL;
    buffer_printf(t->to, ")) ");
    return trimmed(end + 1);
}

/* The operands of a call, and its end. */
static bool append_operands(struct translation *t, char **parts, int n)
{
    for (int i = 0; i < n; i++) {
        buffer_printf(t->to, "%s", i ? ", " : "");
        if (!append_operand(t, parts[i]))
            return false;
    }
    buffer_printf(t->to, "); ");
    return true;
}

/* An instruction that is no mma or mov of parts. */
static bool append_instruction(struct translation *t, struct opcode *o,
                               char **parts, int n)
{
    const char *scope = o->of_block ? "block" : "device";
    if (o->releases)
        buffer_printf(t->to, "{ softgpu::ptx::release_%s(); ", scope);
    else if (o->acquires)
        buffer_printf(t->to, "{ ");
    if (!append_function(t, o, n) || !append_operands(t, parts, n))
        return false;
    if (o->acquires)
        buffer_printf(t->to, "softgpu::ptx::acquire_%s(); ", scope);
    if (o->acquires || o->releases)
        buffer_printf(t->to, "} ");
    return true;
}

/* mov.b64 %0, {%1, %2} and mov.b32 {%0, %1}, %2: the halves of a register, the
 * low one first. */
static bool append_packing(struct translation *t, const char *function,
                           char **parts, int n)
{
    if (n != 3)
        return refuse(t, "mov", "of vectors the software GPU has two parts");
    buffer_printf(t->to, "softgpu::ptx::%s(", function);
    return append_operands(t, parts, n);
}

/* One instruction with its predicate. */
static bool translate_instruction(struct translation *t, char *s)
{
    char *parts[PTX_OPERANDS];
    struct opcode o;
    if (s[0] == '@' && !(s = read_guard(t, s)))
        return refuse(t, "@", "this predicate is not on the software GPU");
    if (strncmp(s, ".reg", 4) == 0)
        return declare(t, s);
    if (strchr(s, ':') && strcspn(s, ":") < strcspn(s, " .\t"))
        return refuse(t, s, "labels are not on the software GPU");
    char *rest = s + strcspn(s, " \t\n");
    if (*rest)
        *rest++ = 0;
    const bool packs = strncmp(s, "mov.", 4) == 0 && strchr(rest, '{');
    const bool unpacks = packs && trimmed(rest)[0] == '{';
    const int n = split_operands(rest, parts);
    if (packs) /* mov of a register from parts, or to them */
        return append_packing(t, unpacks ? "unpack" : "pack", parts, n);
    if (strncmp(s, "mma.", 4) != 0)
        return read_opcode(t, s, &o) && append_instruction(t, &o, parts, n);
    const char *why = append_mma(s, t->to);
    return why ? refuse(t, s, why) : append_operands(t, parts, n);
}

/* Braces that open and close a scope stand before an instruction.
 * @return what follows them, or NULL where more are closed than open */
static char *append_braces(struct translation *t, char *s)
{
    for (s = trimmed(s); *s == '{' || *s == '}'; s = trimmed(s + 1)) {
        t->depth += *s == '{' ? 1 : -1;
        if (t->depth < 0)
            return NULL;
        buffer_printf(t->to, "%c ", *s);
    }
    return s;
}

bool translate_ptx(const char *text, int operands, struct buffer *to)
{
    struct translation t = { .to = to, .operands = operands };
    char *copy = strdup(text), *rest = copy;
    if (!copy)
        return false;
    remove_comments(copy);
    bool good = true;
    for (char *s; good && (s = strsep(&rest, ";")) != NULL;) {
        s = append_braces(&t, s);
        good = s && (!*s || translate_instruction(&t, s));
    }
    if (t.depth != 0 || (!good && !t.why[0]))
        good = refuse(&t, "{", "each scope of inline PTX is opened and closed");
    free(copy);
    if (!good) {
        to->length = 0;
        buffer_printf(to, "%s", t.why);
    }
    return good;
}
