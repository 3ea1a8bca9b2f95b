/* SPDX-License-Identifier: MIT */
/* Instrumented by gcc: where a call returns a struct that fits no registers,
 * gcc stores it where the program assigns it, and does not instrument that
 * store.
 * `s[i] = f(x);` becomes `s[i] = softgpu::seen_result(f(x));`, which stores it
 * in a local variable first.  What is left is found in the compiler's output
 * (compiler/unseen_accesses.c). */
#include "tokens.h"

/* The first token of the expression statement that t is in, or of its part
 * after a comma; NULL: t is in brackets. */
static struct token *statement_start(struct token *t)
{
    static const char *const ends[] = { ";", "{", "}", "else", ":", NULL };
    static const char *const heads[] = { "if", "for", "while", "switch", NULL };
    struct token *before = prev_code(t), *part = NULL;

    while (before && !is_any(before, ends)) {
        if (is(before, "(") || is(before, "["))
            return NULL;
        if (is(before, ",") && !part)
            part = t;
        t = before;
        if ((is(t, ")") || is(t, "]")) && t->match) {
            if (is_any(prev_code(t->match), heads))
                return part ? part : next_code(t);
            t = t->match;
        }
        before = prev_code(t);
    }
    return !before ? NULL : part ? part : t;
}

/* Are tokens [t, end) an expression, no declaration?  `T *p = ...' reads as a
 * product, which nothing is assigned to. */
static bool is_lvalue(struct token *t, const struct token *end)
{
    const struct token *second = next_code(t);

    if (is_type_word(t) || is(t, "auto") || is(t, "&")
        || (is_word(t) && (is(second, "*") || is(second, "&"))))
        return false;
    for (; t && t != end; t = next_code(t))
        if (is(t, "<") || is(t, "=")
            || (is_word(t) && is_word(next_code(t)) && next_code(t) != end))
            return false;
    return true;
}

/* The last token of the value after `=`, if that can be a call.  The value ends
 * at `;`, or in the head of a `for` at its `)`. */
static struct token *call_end(struct token *first, struct token *end)
{
    struct token *paren = find_at_top_level(first, end, ")", true);
    struct token *semicolon =
        find_at_top_level(first, paren ? paren : end, ";", true);
    struct token *close = semicolon ? semicolon : paren;
    struct token *comma = find_at_top_level(first, close, ",", true);
    struct token *last = prev_code(comma ? comma : close);
    const struct token *callee;

    if (!close || (!is_word(first) && !is(first, "::") && !is(first, "("))
        || !is(last, ")") || !last->match)
        return NULL;
    callee = prev_code(last->match);
    return is_word(callee) || is(callee, ">") ? last : NULL;
}

static void rewrite_function(struct unit *u, struct function *f)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        struct token *start = is(t, "=") ? statement_start(t) : NULL;
        struct token *first = next_code(t), *last;

        if (!start || !is_lvalue(start, t))
            continue;
        last = call_end(first, f->end);
        if (!last)
            continue;
        insert_before(u, first, first, "softgpu::seen_result(");
        insert_after(u, last, last, ")");
    }
}

void rewrite_results(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++) {
        struct function *f = &u->functions[i];

        if (f->body && (f->global || f->device))
            rewrite_function(u, f);
    }
}
