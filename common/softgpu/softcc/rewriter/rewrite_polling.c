/* SPDX-License-Identifier: MIT */
/* Loops that poll memory let other threads run.  Atomics and fences do so by
 * themselves; a loop over plain or volatile loads would hold its OS thread
 * until the monitor preempts it, and a chain of blocks that wait for each other
 * takes one such time a block.  `while (*flag == 0) { }` becomes
 * `while (softgpu_spin(), *flag == 0) { }`: the loops without a body, and where
 * a function has volatile accesses, every `while` and every `for (;;)`.  The
 * condition is the one place that `do ... while` has, too. */
#include "tokens.h"

/* Is t the `while` at the end of `do { ... } while`? */
static bool ends_do(const struct token *t)
{
    const struct token *brace = prev_code(t);
    return is(brace, "}") && is(prev_code(brace->match), "do");
}

/* Is the statement at t `;` or `{ }`? */
static bool is_empty_statement(const struct token *t)
{
    return is(t, ";") || (is(t, "{") && next_code(t) == t->match);
}

/* A declaration as a condition, `while (T *p = next())`, has no place for a
 * comma expression. */
static bool may_declare(const struct token *open)
{
    return find_at_top_level(next_code(open), open->match, "=", false) != NULL;
}

/* `while (...)`: does it poll? */
static bool is_polling_while(const struct token *t, bool has_volatile)
{
    const struct token *open = next_code(t);
    if (!is(t, "while") || !is(open, "(") || !open->match || may_declare(open))
        return false;
    return has_volatile
           || (is_empty_statement(next_code(open->match)) && !ends_do(t));
}

/* The second ';' of a `for (...; ; ...)` that polls, or NULL. */
static struct token *polling_for(const struct token *t, bool has_volatile)
{
    struct token *open = next_code(t), *first, *second;
    if (!is(t, "for") || !is(open, "(") || !open->match)
        return NULL;
    first = find_at_top_level(next_code(open), open->match, ";", false);
    second = next_code(first);
    if (!is(second, ";"))
        return NULL;
    return has_volatile || is_empty_statement(next_code(open->match)) ? second
                                                                      : NULL;
}

/* Only what the compiler can evaluate may be in a constexpr function. */
static bool may_poll(const struct unit *u, const struct function *f)
{
    return f->body && (f->global || f->device) && f->flags & FLAG_MAY_BLOCK
           && !in_cccl(u, f->name) && !contains(f->start, f->body, "constexpr");
}

void rewrite_polling(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (!may_poll(u, f))
            continue;
        const bool has_volatile = contains(f->start, f->end, "volatile");
        for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
            struct token *end = polling_for(t, has_volatile);
            if (is_polling_while(t, has_volatile))
                insert_after(u, next_code(t), next_code(t), "softgpu_spin(),");
            else if (end)
                insert_before(u, end, end, "softgpu_spin(),true");
        }
    }
}
