/* SPDX-License-Identifier: MIT */
/* Inline PTX: the products of matrices, mma.sync.  The shapes and types that
 * the software GPU has; sparse, 4-bit, 1-bit and 8-bit float ones are
 * refused. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "ptx.h"

/* A shape with the types of its factors and sums: names of PTX, separated by
 * blanks. */
struct shape {
    int m, n, k;
    const char *factors, *sums;
};

static const struct shape shapes[] = {
    { 16, 8, 8, "f16", "f16 f32" },  { 16, 8, 16, "f16", "f16 f32" },
    { 16, 8, 8, "bf16", "f32" },     { 16, 8, 16, "bf16", "f32" },
    { 16, 8, 4, "tf32", "f32" },     { 16, 8, 8, "tf32", "f32" },
    { 16, 8, 16, "s8 u8", "s32" },   { 16, 8, 32, "s8 u8", "s32" },
    { 8, 8, 16, "s8 u8", "s32" },    { 8, 8, 4, "f64", "f64" },
};

/* The type of C++ for one of PTX, or NULL. */
static const char *element_type(const char *word)
{
    static const char *const types[][2] = {
        { "f16", "softgpu::ptx::f16" },   { "bf16", "softgpu::ptx::bf16" },
        { "tf32", "softgpu::ptx::tf32" }, { "f32", "float" },
        { "f64", "double" },              { "s32", "int" },
        { "s8", "signed char" },          { "u8", "unsigned char" },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], word) == 0)
            return types[i][1];
    return NULL;
}

/* Is the word in a list? */
static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)) != NULL; p += n)
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
    return false;
}

/* The shape with these types: d, a, b, c. */
static const struct shape *find_shape(const int *mnk, char (*types)[8])
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct shape *s = &shapes[i];
        if (s->m == mnk[0] && s->n == mnk[1] && s->k == mnk[2]
            && has_word(s->sums, types[0]) && has_word(s->factors, types[1])
            && has_word(s->factors, types[2]) && has_word(s->sums, types[3]))
            return s;
    }
    return NULL;
}

const char *append_mma(const char *opcode, struct buffer *to)
{
    static const char saturates[] = ".satfinite", advice[] =
        "of mma the software GPU has m16n8k8 and m16n8k16 of f16 and bf16, "
        "m16n8k4 and m16n8k8 of tf32, m16n8k16, m16n8k32 and m8n8k16 of s8 and "
        "u8, m8n8k4 of f64";
    char types[4][8];
    int mnk[3], at = 0;
    if (sscanf(opcode, "mma.sync.aligned.m%dn%dk%d.row.col%n", &mnk[0],
               &mnk[1], &mnk[2], &at) != 3 || at == 0)
        return advice;
    const bool saturated =
        strncmp(opcode + at, saturates, sizeof saturates - 1) == 0;
    int end = 0;
    if (saturated)
        at += (int)sizeof saturates - 1;
    if (sscanf(opcode + at, ".%7[a-z0-9].%7[a-z0-9].%7[a-z0-9].%7[a-z0-9]%n",
               types[0], types[1], types[2], types[3], &end) != 4
        || opcode[at + end])
        return advice;
    const struct shape *s = find_shape(mnk, types);
    if (!s || (saturated && strcmp(types[0], "s32") != 0))
        return advice;
    buffer_printf(to, "softgpu::ptx::mma<%d, %d, %d, %s", s->m, s->n, s->k,
                  saturated ? "true" : "false");
    for (int i = 0; i < 4; i++)
        buffer_printf(to, ", %s", element_type(types[i]));
    buffer_printf(to, ">(");
    return NULL;
}
