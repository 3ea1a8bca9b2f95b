/* SPDX-License-Identifier: MIT */
/* Warp-synchronous programs access shared memory through volatile names and
 * rely on lockstep: all lanes of a warp load, then all store.  `s[i] += x`
 * becomes `softgpu::lockstep(s[i], 2) += x`, which synchronizes the lanes for
 * volatile elements and does nothing for others; `y = s[i]` becomes
 * `y = softgpu::lockstep_value(s[i], 4)`, for lanes that do not store.  Where x
 * is another element of s, `(s[i], 2, true)`: such an exchange synchronizes the
 * lanes in global memory, too.  The numbers rise in source order.  With
 * --lockstep every array is treated so.  Without, statements that would need it
 * are marked: softgpu::note_lockstep. */
#define _GNU_SOURCE
#include <string.h>

#include "tokens.h"

/* The name that a declaration with `volatile` at t declares, or NULL: the word
 * before the first of = , ) ; [ */
static struct token *volatile_name(struct token *t, const struct token *end)
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
    if (f->lockstep)
        return is(next_code(word), "[");
    for (struct token *t = f->open; t && t != f->end; t = next_code(t))
        if (is(t, "volatile") && same_text(volatile_name(t, f->end), word))
            return true;
    return false;
}

/* Is t an assignment operator? */
static bool is_assignment(const struct token *t)
{
    static const char *const operators[] = { "=", "+=", "-=", "*=", "/=", "%=",
                                             "&=", "|=", "^=", NULL };
    return is_any(t, operators);
}

/* The ']' of the last subscript after a word, or NULL if there is none. */
static struct token *subscripts(const struct token *word)
{
    struct token *end = NULL;
    for (struct token *t = next_code(word); is(t, "[") && t->match;
         t = next_code(end))
        end = t->match;
    return end;
}

/* Does t begin an element of a volatile array of f (no declaration)? */
static bool is_volatile_element(const struct function *f, const struct token *t)
{
    static const char *const stops[] = { ".", "->", "*", "&", "++", "--",
                                         NULL };
    struct token *before = prev_code(t);
    return is_word(t) && is(next_code(t), "[") && !is_any(before, stops)
           && (!is_word(before) || is(before, "return")) && is_volatile(f, t);
}

static bool is_volatile_store(const struct function *f, const struct token *t)
{
    struct token *end = is_volatile_element(f, t) ? subscripts(t) : NULL;
    return end && is_assignment(next_code(end));
}

/* Does [from, end) store to a volatile array: one of this name, or any if
 * `name` is NULL? */
static bool has_store(const struct function *f, struct token *from,
                      const struct token *end, const struct token *name)
{
    for (struct token *t = from; t && t != end; t = next_code(t))
        if ((name == NULL || same_text(t, name)) && is_volatile_store(f, t))
            return true;
    return false;
}

/* The '{' of the enclosing block. */
static struct token *enclosing_block(struct token *t)
{
    do {
        t = prev_code(t);
        if ((is(t, "}") || is(t, ")")) && t->match)
            t = prev_code(t->match);
    } while (t && !is(t, "{"));
    return t;
}

/* Is the statement at t the branch of an `if`? */
static bool is_conditional(const struct token *t)
{
    struct token *before = prev_code(t);
    return is(before, "else")
           || (is(before, ")") && before->match
               && is(prev_code(before->match), "if"));
}

/* Do only some lanes execute the read at t, whose statement begins at `from`?
 * So if it is in a branch that has no store to the same array. */
static bool is_divergent_read(const struct function *f, struct token *from,
                              struct token *t)
{
    struct token *block = enclosing_block(t);
    return is_conditional(from)
           || (is_conditional(block) && !has_store(f, block, block->match, t));
}

/* Is t a read of an array that f also stores to, in a statement without a
 * store? */
static bool needs_read_lockstep(const struct function *f, struct token *t)
{
    static const char *const ends[] = { ";", "{", "}", NULL };
    static const char *const stops[] = { "=", ".", "->", "(", "++", "--",
                                         NULL };
    struct token *end = is_volatile_element(f, t) ? subscripts(t) : NULL;
    if (end == NULL || is_any(next_code(end), stops) || is_volatile_store(f, t)
        || !has_store(f, f->body, f->end, t))
        return false;
    struct token *from = t;
    while (from != f->body && !is_any(prev_code(from), ends)
           && !is_conditional(from))
        from = prev_code(from);
    while (end != f->end && !is_any(end, ends))
        end = next_code(end);
    return !has_store(f, from, end, NULL) && !is_divergent_read(f, from, t);
}

/* --- statements between two barriers -------------------------------------- */

/* Do tokens from `from` up to `end` name a volatile variable of f? */
static bool names_volatile(const struct function *f, struct token *from,
                           const struct token *end)
{
    for (struct token *t = from; t && t != end; t = next_code(t))
        if (is_word(t) && is_volatile(f, t))
            return true;
    return false;
}

/* Does the statement `__syncthreads();` begin at t? */
static bool is_barrier(const struct token *t)
{
    return is(t, "__syncthreads") && is(next_code(t), "(")
           && is(next_code(next_code(t)), ")");
}

/* Is there a barrier in the block before the statement at `from`, and no
 * volatile variable between them? */
static bool follows_barrier(const struct function *f, struct token *from)
{
    struct token *t = prev_code(from);
    while (t && !is(t, "{") && !is_barrier(t)) {
        struct token *first = t->match ? t->match : t;
        if (names_volatile(f, first, next_code(t)))
            return false;
        t = prev_code(first);
    }
    return is_barrier(t);
}

/* After a loop whose body ends at `close`: does the function end, or return the
 * element from `element` to `last` that the thread itself stored? */
static bool ends_after_loop(const struct function *f, struct token *close,
                            struct token *element, struct token *last)
{
    struct token *t = next_code(close);
    if (is(t, "return"))
        t = next_code(t);
    while (t && t != f->end && same_text(t, element)) {
        t = next_code(t);
        if (element == last)
            break;
        element = next_code(element);
    }
    return t == f->end || (is(t, ";") && next_code(t) == f->end);
}

/* Is a barrier next after the ';' at `end`, and no volatile variable before it?
 * At the end of a loop, the next statement is the first one of its body. */
static bool precedes_barrier(const struct function *f, struct token *end,
                             struct token *element, struct token *last)
{
    struct token *t = next_code(end);
    while (t && !is(t, "}") && !is_barrier(t)) {
        struct token *after = skip_group(t);
        if (names_volatile(f, t, after))
            return false;
        t = after;
    }
    if (!is(t, "}") || t->match == NULL)
        return is_barrier(t);
    struct token *header = prev_code(t->match);
    return is(header, ")") && header->match
           && is(prev_code(header->match), "for")
           && !names_volatile(f, header->match, header)
           && is_barrier(next_code(t->match))
           && ends_after_loop(f, t, element, last);
}

/* Is the access to the element at t the only one between two barriers, so that
 * no lane depends on the order of the others? */
static bool is_between_barriers(const struct function *f, struct token *t,
                                bool store)
{
    static const char *const ends[] = { ";", "{", "}", NULL };
    struct token *from = t, *last = subscripts(t), *end = last;
    while (from != f->body && !is_any(prev_code(from), ends))
        from = prev_code(from);
    while (end != f->end && !is_any(end, ends))
        end = next_code(end);
    bool alone = !store || (!names_volatile(f, from, t)
                            && !names_volatile(f, next_code(t), end));
    return alone && is(end, ";") && follows_barrier(f, from)
           && precedes_barrier(f, end, t, last);
}

/* --- programs that need --lockstep ---------------------------------------- */

/* Is a synchronization named between two tokens? */
static bool names_sync(struct token *from, const struct token *end)
{
    for (struct token *t = from; t && t != end; t = next_code(t))
        if (t->kind == T_IDENT
            && memmem(t->text, (size_t)t->length, "sync", 4))
            return true;
    return false;
}

/* Do two ranges of tokens have the same text? */
static bool same_tokens(struct token *a, const struct token *a_end,
                        struct token *b, const struct token *b_end)
{
    while (a && b && a != a_end && b != b_end && same_text(a, b)) {
        a = next_code(a);
        b = next_code(b);
    }
    return a == a_end && b == b_end;
}

/* Is t an element of the array `word`, but not the same one? */
static bool is_other_element(struct token *word, struct token *t)
{
    struct token *end = subscripts(t);
    return end && same_text(t, word) && !is(prev_code(t), ".")
           && !is(prev_code(t), "->")
           && !same_tokens(next_code(t), next_code(end), next_code(word),
                           next_code(subscripts(word)));
}

/* Can the array be in shared memory?  A parameter of a kernel cannot. */
static bool may_be_shared(const struct function *f, const struct token *word)
{
    if (!f->global)
        return true;
    for (struct token *t = f->open; t && t != f->close; t = next_code(t))
        if (same_text(t, word))
            return false;
    return contains(f->body, f->end, "__shared__");
}

/* The ';' of a statement that begins at t with a store to an element and loads
 * another element of the same array; NULL for any other. */
static struct token *exchange_end(const struct function *f, struct token *t)
{
    static const char *const before[] = { ";", "{", "}", ")", "else", NULL };
    static const char *const ends[] = { ";", "{", "}", NULL };
    struct token *end = is_word(t) ? subscripts(t) : NULL;
    bool found = false;
    if (!end || !is_assignment(next_code(end))
        || !is_any(prev_code(t), before) || is_volatile(f, t)
        || !may_be_shared(f, t))
        return NULL;
    for (end = next_code(end); end && !is_any(end, ends); end = next_code(end))
        found |= is_other_element(t, end);
    return found && is(end, ";") ? end : NULL;
}

/* Is the statement at t executed under an `if`, which may keep the lanes that
 * store apart from the elements that are loaded? */
static bool is_guarded(const struct function *f, struct token *t)
{
    if (is_conditional(t))
        return true;
    for (t = enclosing_block(t); t && t != f->body; t = enclosing_block(t))
        if (is_conditional(t))
            return true;
    return false;
}

/* Do two exchanges follow each other without a synchronization: the next
 * statement, or the next turn of the loop? */
static bool is_repeated(const struct function *f, struct token *t,
                        struct token *end)
{
    struct token *next = next_code(end), *block = enclosing_block(t);
    struct token *header = prev_code(block);
    if (exchange_end(f, next) && same_text(t, next))
        return true;
    if (is(prev_code(t), ")")) { /* a loop without braces */
        header = prev_code(t);
        block = t;
    }
    return is(header, ")") && header->match
           && is(prev_code(header->match), "for")
           && !names_sync(block, block == t ? end : block->match);
}

/* Mark the loads and the store of an exchange. */
static void mark_exchange(struct unit *u, struct token *t,
                          const struct token *end)
{
    struct token *first = t;
    for (; t && t != end; t = next_code(t)) {
        const bool store = t == first;
        struct token *last = store || is_other_element(first, t)
                                 ? subscripts(t) : NULL;
        if (!last)
            continue;
        insert_before(u, t, t, "softgpu::note_lockstep<%s>(",
                      store ? "true" : "false");
        insert_after(u, last, last, ")");
        t = last;
    }
}

/* Mark the exchanges of a function.  @return whether there is one */
static bool mark_exchanges(struct unit *u, const struct function *f)
{
    const struct token *last = NULL; /* the ';' of the last one */
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        struct token *end = exchange_end(f, t);
        if (!end || (is_guarded(f, t) && prev_code(t) != last
                     && !is_repeated(f, t, end)))
            continue;
        mark_exchange(u, t, end);
        last = t = end;
    }
    return last != NULL;
}

void note_lockstep(struct unit *u)
{
    for (int i = 0; i < u->function_count && u->notes_lockstep; i++) {
        struct function *f = &u->functions[i];
        if (f->body && (f->global || f->device))
            f->notes_lockstep = mark_exchanges(u, f);
    }
}

/* --- the pass ------------------------------------------------------------- */

/* Does the store at t store what it loads from another element of its array? */
static bool is_exchange(struct token *t)
{
    static const char *const ends[] = { ";", "{", "}", NULL };
    for (struct token *x = next_code(subscripts(t)); x && !is_any(x, ends);
         x = next_code(x))
        if (is_other_element(t, x))
            return true;
    return false;
}

static void rewrite_body(struct unit *u, const struct function *f, int *count)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        const bool store = is_volatile_store(f, t);
        if ((!store && !needs_read_lockstep(f, t))
            || is_between_barriers(f, t, store))
            continue;
        struct token *end = subscripts(t);
        insert_before(u, t, t, "softgpu::lockstep%s%s(",
                      f->lockstep ? "_any" : "", store ? "" : "_value");
        insert_after(u, end, end, store && is_exchange(t) ? ",%d,true)"
                                                          : ",%d)",
                     2 * ++*count);
    }
}

void rewrite_volatile(struct unit *u)
{
    int count = 0;
    for (int i = 0; i < u->function_count; i++) {
        struct function *f = &u->functions[i];
        f->lockstep = u->lockstep;
        if (f->body && (f->global || f->device)
            && (f->lockstep || contains(f->open, f->end, "volatile")))
            rewrite_body(u, f, &count);
    }
}
