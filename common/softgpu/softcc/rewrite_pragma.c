/* SPDX-License-Identifier: MIT */
/* #pragma unroll [N]: nvcc's and clang's; gcc has its own form and wants a
 * number and a loop.  nvcc's own warnings pragmas go. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* For a bare `#pragma unroll`: gcc peels a loop of constant count up to this
 * altogether, and repeats the body of a longer one so often.  Measured with
 * gcc 12: an 8x8 outer product in registers runs 7 times as fast as without the
 * pragma; 16, 32 and 64 do not differ, and 16 compiles fastest. */
#define UNROLL_ALL 16
#define UNROLL_MAX 128 /* gcc's code grows without use beyond */

/* The words of the directive behind `pragma`. */
static int pragma_words(const struct token *t, struct token *words, int room)
{
    struct lexer x = { t->text, t->text + t->length, t->text, 1, true };
    struct token word;
    int n = 0;
    while (lex(&x, &word) && n < room)
        words[n++] = word;
    return n;
}

static long number(const struct token *t)
{
    return t->kind == T_NUMBER ? strtol(t->text, NULL, 0) : -1;
}

/* --- constant expressions: + - * / % and brackets ---------------------------- */

enum { DEEPEST = 8 }; /* names that stand for names */

struct sum {
    const struct file *file;
    const struct token *t, *end;
    int depth;
};

static long evaluate(struct sum *s);

/* Where a line of n tokens says what the name is: behind `#define name` or
 * `const int name =`; 0 if it does not. */
static int definition(const struct token *t, int n, const struct token *name)
{
    static const char *const heads[] = { "const", "constexpr", "static",
                                         "enum", NULL };
    if (n > 3 && is(&t[0], "#") && is(&t[1], "define") && same(&t[2], name))
        return 3;
    for (int i = 1; i + 2 < n && is_any(&t[0], heads); i++)
        if (same(&t[i], name) && is(&t[i + 1], "="))
            return i + 2;
    return 0;
}

/* What the file says a name is, on one line. */
static long named(const struct sum *s, const struct token *name)
{
    static const char *const ends[] = { ";", ",", "}", NULL };
    const struct file *f = s->file;
    const char *p = f->text, *end = p ? p + f->length : NULL;
    for (; p && p < end; p = memchr(p, '\n', (size_t)(end - p)), p += !!p) {
        struct lexer x = { p, end, p, 1, true };
        struct token t[16];
        int n = 0;
        while (n < 16 && lex(&x, &t[n]) && x.line == 1)
            n++;
        int from = definition(t, n, name), to = from;
        while (to < n && !is_any(&t[to], ends))
            to++;
        struct sum inner = { f, &t[from], &t[to], s->depth + 1 };
        if (from && s->depth < DEEPEST)
            return evaluate(&inner);
    }
    return -1;
}

/* A number, a name or an expression in brackets; -1: not known. */
static long factor(struct sum *s)
{
    if (s->t == s->end)
        return -1;
    const struct token *t = s->t++;
    if (is(t, "(")) {
        long value = evaluate(s);
        return s->t < s->end && is(s->t++, ")") ? value : -1;
    }
    return is_word(t) ? named(s, t) : number(t);
}

static long product(struct sum *s)
{
    long value = factor(s);
    while (value >= 0 && s->t < s->end
           && (is(s->t, "*") || is(s->t, "/") || is(s->t, "%"))) {
        const struct token *sign = s->t++;
        long by = factor(s);
        if (by < 0 || (by == 0 && !is(sign, "*")) || value > INT_MAX
            || by > INT_MAX)
            return -1;
        value = is(sign, "*") ? value * by
                : is(sign, "/") ? value / by : value % by;
    }
    return value;
}

static long evaluate(struct sum *s)
{
    long value = product(s);
    while (value >= 0 && s->t < s->end && (is(s->t, "+") || is(s->t, "-"))) {
        bool plus = is(s->t++, "+");
        long by = product(s);
        value = by < 0 || value > INT_MAX || by > INT_MAX ? -1
                : plus ? value + by : value - by;
    }
    return value;
}

static bool starts_loop(const struct token *t)
{
    static const char *const loops[] = { "for", "while", "do", NULL };
    const struct token *next = t->next;
    while (next && (next->dead || next->kind == T_TEXT))
        next = next->next;
    return next && next->kind == T_IDENT && is_any(next, loops);
}

/* How often `#pragma unroll ...` asks for, -1 if it cannot be told. */
static long unroll_count(struct unit *u, const struct token *t,
                         const struct token *words, int n)
{
    struct sum s = { &u->files[t->file], &words[3], &words[n], 0 };
    if (n <= 3)
        return UNROLL_ALL;
    long count = evaluate(&s);
    if (s.t != s.end)
        return -1;
    return count > UNROLL_MAX ? UNROLL_MAX : count;
}

static void rewrite_unroll(struct unit *u, struct token *t,
                           const struct token *words, int n)
{
    long count = is(&words[2], "nounroll") ? 1 : unroll_count(u, t, words, n);
    struct buffer b = { 0 };
    if (!starts_loop(t)) {
        drop(t);
        return;
    }
    if (u->dialect.clang && n <= 3)
        return;
    if (count < 0)
        count = UNROLL_ALL;
    buffer_print(&b, u->dialect.clang ? "#pragma unroll %ld"
                                      : "#pragma GCC unroll %ld", count);
    char *text = arena_get(&u->arena, b.length + 1);
    memcpy(text, b.bytes, b.length);
    free(b.bytes);
    t->text = text;
    t->length = (int)strlen(text);
}

void rewrite_pragmas(struct unit *u)
{
    static const char *const unroll[] = { "unroll", "nounroll", NULL };
    static const char *const nvcc[] = {
        "nv_diag_suppress", "nv_diag_default", "nv_diag_warning",
        "nv_diagnostic", "diag_suppress", "diag_default", "diag_warning",
        "nv_exec_check_disable", "hd_warning_disable", NULL
    };
    struct token words[16];
    for (struct token *t = u->first; t; t = t->next) {
        if (t->kind != T_PRAGMA || t->dead)
            continue;
        int n = pragma_words(t, words, 16);
        if (n < 3 || !is(&words[1], "pragma"))
            continue;
        if (is_any(&words[2], nvcc))
            drop(t);
        else if (is_any(&words[2], unroll))
            rewrite_unroll(u, t, words, n);
    }
}
