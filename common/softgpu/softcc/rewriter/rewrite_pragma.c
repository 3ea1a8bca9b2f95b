/* SPDX-License-Identifier: MIT */
/* #pragma unroll [N] is a pragma of nvcc and clang; gcc has another form, which
 * needs a number and a loop.  Pragmas for nvcc's warnings are removed. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* Unroll factor of `#pragma unroll` without a number: gcc unrolls a loop with
 * at most so many iterations completely, and a longer one by this factor.
 * Measured with gcc 12: an 8x8 outer product in registers runs 7 times as fast
 * as without the pragma; 16, 32 and 64 do not differ, and 16 compiles
 * fastest. */
#define UNROLL_ALL 16
#define UNROLL_MAX 128 /* more makes gcc's code larger, not faster */

/* Lex the directive. @return number of tokens */
static int pragma_words(const struct token *t, struct token *words,
                        int capacity)
{
    struct lexer x = { t->text, t->text + t->length, t->text, 1, true };
    struct token word;
    int n = 0;
    while (lex(&x, &word) && n < capacity)
        words[n++] = word;
    return n;
}

static long number_value(const struct token *t)
{
    return t->kind == T_NUMBER ? strtol(t->text, NULL, 0) : -1;
}

/* --- constant expressions: + - * / % and brackets ------------------------- */

enum { MAX_NAME_DEPTH = 8 }; /* of names defined by names */

struct expression_parser {
    const struct file *file;
    const struct token *t, *end;
    int depth;
};

static long evaluate_sum(struct expression_parser *s);

/* Does a line of n tokens define the name: `#define name` or
 * `const int name =`?  @return index of the first token of the value, or 0 */
static int find_definition(const struct token *t, int n,
                           const struct token *name)
{
    static const char *const keywords[] = { "const", "constexpr", "static",
                                            "enum", NULL };
    if (n > 3 && is(&t[0], "#") && is(&t[1], "define")
        && same_text(&t[2], name))
        return 3;
    for (int i = 1; i + 2 < n && is_any(&t[0], keywords); i++)
        if (same_text(&t[i], name) && is(&t[i + 1], "="))
            return i + 2;
    return 0;
}

/* The value of a name that the file defines on one line; -1: unknown. */
static long evaluate_name(const struct expression_parser *s,
                          const struct token *name)
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
        int from = find_definition(t, n, name), to = from;
        while (to < n && !is_any(&t[to], ends))
            to++;
        struct expression_parser inner = { f, &t[from], &t[to], s->depth + 1 };
        if (from && s->depth < MAX_NAME_DEPTH)
            return evaluate_sum(&inner);
    }
    return -1;
}

/* A number, a name or an expression in parentheses; -1: unknown. */
static long evaluate_factor(struct expression_parser *s)
{
    if (s->t == s->end)
        return -1;
    const struct token *t = s->t++;
    if (is(t, "(")) {
        long value = evaluate_sum(s);
        return s->t < s->end && is(s->t++, ")") ? value : -1;
    }
    return is_word(t) ? evaluate_name(s, t) : number_value(t);
}

static long evaluate_product(struct expression_parser *s)
{
    long value = evaluate_factor(s);
    while (value >= 0 && s->t < s->end
           && (is(s->t, "*") || is(s->t, "/") || is(s->t, "%"))) {
        const struct token *op = s->t++;
        long operand = evaluate_factor(s);
        if (operand < 0 || (operand == 0 && !is(op, "*")) || value > INT_MAX
            || operand > INT_MAX)
            return -1;
        value = is(op, "*") ? value * operand
                : is(op, "/") ? value / operand : value % operand;
    }
    return value;
}

static long evaluate_sum(struct expression_parser *s)
{
    long value = evaluate_product(s);
    while (value >= 0 && s->t < s->end && (is(s->t, "+") || is(s->t, "-"))) {
        bool plus = is(s->t++, "+");
        long operand = evaluate_product(s);
        value = operand < 0 || value > INT_MAX || operand > INT_MAX ? -1
                : plus ? value + operand
                       : value - operand;
    }
    return value;
}

/* `for (;;)`: gcc unrolls no loop without a condition. */
static bool is_endless_for(const struct token *t)
{
    struct token *open = next_code(t), *first;
    if (!is(t, "for") || !is(open, "(") || !open->match)
        return false;
    first = find_at_top_level(next_code(open), open->match, ";", false);
    return first && is(next_code(first), ";");
}

static bool is_before_loop(const struct token *t)
{
    static const char *const loops[] = { "for", "while", "do", NULL };
    const struct token *next = t->next;
    while (next && (next->is_removed || next->kind == T_TEXT))
        next = next->next;
    return next && next->kind == T_IDENT && is_any(next, loops)
           && !is_endless_for(next);
}

/* The unroll factor of `#pragma unroll ...`, -1 if it is unknown. */
static long unroll_count(struct unit *u, const struct token *t,
                         const struct token *words, int n)
{
    struct expression_parser s = { &u->files[t->file], &words[3], &words[n],
                                   0 };
    if (n <= 3)
        return UNROLL_ALL;
    long count = evaluate_sum(&s);
    if (s.t != s.end)
        return -1;
    return count > UNROLL_MAX ? UNROLL_MAX : count;
}

static void rewrite_unroll(struct unit *u, struct token *t,
                           const struct token *words, int n)
{
    long count = is(&words[2], "nounroll") ? 1 : unroll_count(u, t, words, n);
    struct buffer b = { 0 };
    if (!is_before_loop(t)) {
        remove_token(t);
        return;
    }
    if (u->dialect.clang && n <= 3)
        return;
    if (count < 0)
        count = UNROLL_ALL;
    buffer_printf(&b, u->dialect.clang ? "#pragma unroll %ld"
                                      : "#pragma GCC unroll %ld", count);
    char *text = arena_alloc(&u->arena, b.length + 1);
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
        "nv_diag_error", "nv_diag_remark", "nv_diag_once", "nv_diagnostic",
        "diag_suppress", "diag_default", "diag_warning", "diag_error",
        "diag_remark", "diag_once", "diagnostic", "nv_exec_check_disable",
        "hd_warning_disable", NULL
    };
    struct token words[16];
    for (struct token *t = u->first; t; t = t->next) {
        if (t->kind != T_PRAGMA || t->is_removed)
            continue;
        int n = pragma_words(t, words, 16);
        if (n < 3 || !is(&words[1], "pragma"))
            continue;
        if (is_any(&words[2], nvcc))
            remove_token(t);
        else if (is_any(&words[2], unroll))
            rewrite_unroll(u, t, words, n);
    }
}
