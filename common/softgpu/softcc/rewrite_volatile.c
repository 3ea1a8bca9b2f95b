/* SPDX-License-Identifier: MIT */
/* Warp-synchronous programs store into shared memory through volatile names
 * and count on the lanes of a warp to do so together: all read, all write.
 * `s[i] += x` becomes `softgpu::lockstep(s[i], 2) += x`, which keeps to that
 * for volatile elements and is nothing for others; `y = s[i]` becomes
 * `y = softgpu::lockstep_value(s[i], 4)`, for lanes that did not store.  The
 * numbers rise with the place in the source. */
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

/* The last ']' behind a word, or NULL if no '[' follows. */
static struct token *subscripts(const struct token *word)
{
    struct token *end = NULL;
    for (struct token *t = next_code(word); is(t, "[") && t->match;
         t = next_code(end))
        end = t->match;
    return end;
}

/* An element of a volatile array of f's, at t: not a declaration. */
static bool is_element(const struct function *f, const struct token *t)
{
    static const char *const stops[] = { ".", "->", "*", "&", "++", "--",
                                         NULL };
    struct token *before = prev_code(t);
    return is_word(t) && is(next_code(t), "[") && !is_any(before, stops)
           && (!is_word(before) || is(before, "return")) && is_volatile(f, t);
}

static bool is_store(const struct function *f, const struct token *t)
{
    struct token *end = is_element(f, t) ? subscripts(t) : NULL;
    return end && is_assignment(next_code(end));
}

/* Does [from, end) store into an array: of t's name, or any if NULL? */
static bool has_store(const struct function *f, struct token *from,
                      const struct token *end, const struct token *name)
{
    for (struct token *t = from; t && t != end; t = next_code(t))
        if ((name == NULL || same(t, name)) && is_store(f, t))
            return true;
    return false;
}

/* The '{' around t. */
static struct token *block_of(struct token *t)
{
    do {
        t = prev_code(t);
        if ((is(t, "}") || is(t, ")")) && t->match)
            t = prev_code(t->match);
    } while (t && !is(t, "{"));
    return t;
}

/* Does what starts at t depend on an `if` right before it? */
static bool is_conditional(const struct token *t)
{
    struct token *before = prev_code(t);
    return is(before, "else")
           || (is(before, ")") && before->match
               && is(prev_code(before->match), "if"));
}

/* A read, starting its statement at `from`, that only some lanes come to: it
 * is behind an `if` that the stores to its array are not behind. */
static bool is_alone(const struct function *f, struct token *from,
                     struct token *t)
{
    struct token *block = block_of(t);
    return is_conditional(from)
           || (is_conditional(block) && !has_store(f, block, block->match, t));
}

/* A read of an array that f also stores, in a statement that does not. */
static bool is_read(const struct function *f, struct token *t)
{
    static const char *const ends[] = { ";", "{", "}", NULL };
    static const char *const stops[] = { "=", ".", "->", "(", "++", "--",
                                         NULL };
    struct token *end = is_element(f, t) ? subscripts(t) : NULL;
    if (end == NULL || is_any(next_code(end), stops) || is_store(f, t)
        || !has_store(f, f->body, f->end, t))
        return false;
    struct token *from = t;
    while (from != f->body && !is_any(prev_code(from), ends)
           && !is_conditional(from))
        from = prev_code(from);
    while (end != f->end && !is_any(end, ends))
        end = next_code(end);
    return !has_store(f, from, end, NULL) && !is_alone(f, from, t);
}

static void rewrite_body(struct unit *u, const struct function *f, int *count)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        const char *call = is_store(f, t)  ? "lockstep"
                           : is_read(f, t) ? "lockstep_value"
                                           : NULL;
        if (call == NULL)
            continue;
        struct token *end = subscripts(t);
        put_before(u, t, t, "softgpu::%s(", call);
        put_after(u, end, end, ",%d)", 2 * ++*count);
    }
}

void rewrite_volatile(struct unit *u)
{
    int count = 0;
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->body && (f->global || f->device)
            && mentions(f->open, f->end, "volatile"))
            rewrite_body(u, f, &count);
    }
}
