/* SPDX-License-Identifier: MIT */
/* Warp-synchronous programs store into shared memory through volatile names
 * and count on the lanes of a warp to do so together: all read, all write.
 * `s[i] += x` becomes `softgpu::lockstep(s[i]) += x`, which keeps to that for
 * volatile elements and is nothing for others. */
#include "tokens.h"

/* The name that a declaration with `volatile` at t gives, or NULL: the word
 * before one of = , ) ; [ that no bracket comes before. */
static struct token *declared(struct token *t, const struct token *end)
{
    static const char *const stops[] = { "=", ",", ")", ";", "[", NULL };
    struct token *last = t;
    for (t = next_code(t); t && t != end && !is_any(t, stops); t = next_code(t))
        last = t;
    return is_word(last) && !is(last, "volatile") ? last : NULL;
}

/* Is the word declared with `volatile` in this function? */
static bool is_volatile(const struct function *f, const struct token *word)
{
    for (struct token *t = f->open; t && t != f->end; t = next_code(t))
        if (is(t, "volatile") && same(declared(t, f->end), word))
            return true;
    return false;
}

/* `=`, or an operator and `=`, at t; `==` and comparisons are not. */
static bool is_assignment(const struct token *t)
{
    static const char *const operators[] = { "=", "+=", "-=", "*=", "/=", "%=",
                                             "&=", "|=", "^=", NULL };
    return is_any(t, operators);
}

static void rewrite_body(struct unit *u, const struct function *f)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        struct token *open = next_code(t), *before = prev_code(t);
        if (!is_word(t) || !is(open, "[") || open->match == NULL
            || is_word(before) || is(before, ".") || is(before, "->")
            || is(before, "*") || !is_assignment(next_code(open->match))
            || !is_volatile(f, t))
            continue;
        put_before(u, t, t, "softgpu::lockstep(");
        put_after(u, open->match, open->match, ")");
    }
}

void rewrite_volatile(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->body && (f->global || f->device)
            && mentions(f->open, f->end, "volatile"))
            rewrite_body(u, f);
    }
}
