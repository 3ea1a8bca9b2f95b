/* SPDX-License-Identifier: MIT */
/* Loops that poll memory let other threads run.  Atomics and fences do so by
 * themselves; a loop over plain or volatile loads would hold its OS thread
 * until the monitor preempts it, and a chain of blocks that wait for each other
 * takes one such time a block.  `while (*flag == 0) { }` becomes
 * `while (softgpu_spin(), *flag == 0) { }`: the loops without a body, and where
 * a program has volatile accesses or loads past the L1 cache, every `while`,
 * every `for` without a bound in its condition, and every `goto`.  A type or a
 * function that is declared elsewhere can hide such an access.  The condition
 * is the one place that `do ... while` has, too; an endless loop has its body.
 *
 * For --check, softgpu_polls() marks what a loop polls: the loads of its
 * condition, or the first one of its body where that is `do { ... } while`, or
 * where the loop has no condition or one of a variable, `while (!done)`. */
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

/* May [t, end), a condition, be a declaration, `T *p = next()`, `T p{next()}`,
 * which has no place for a comma expression? */
static bool may_declare(struct token *t, struct token *end)
{
    return find_at_top_level(t, end, "=", false)
           || find_at_top_level(t, end, "{", false);
}

/* `while (...)`: does it poll? */
static bool is_polling_while(const struct token *t, bool has_volatile)
{
    const struct token *open = next_code(t);
    if (!is(t, "while") || !is(open, "(") || !open->match)
        return false;
    return has_volatile
           || (is_empty_statement(next_code(open->match)) && !ends_do(t));
}

/* Is it `while (true)`, also of a do? */
static bool is_endless(const struct token *t)
{
    static const char *const always[] = { "true", "1", NULL };
    const struct token *open = next_code(t), *word = next_code(open);
    return is_any(word, always) && next_code(word) == open->match;
}

/* Begin the body of an endless loop with a call.  In the condition it would let
 * gcc warn (-Wreturn-type) of the function's end, which is never reached.
 * @return false if the body is empty */
static bool begin_body(struct unit *u, struct token *body, const char *call)
{
    if (is_empty_statement(body))
        return false;
    if (is(body, "{"))
        insert_after(u, body, body, "%s;", call);
    else
        insert_before(u, body, body, "if (%s, false) {} else ", call);
    return true;
}

/* Is one of the words in [t, end)? */
static bool has_any(struct token *t, const struct token *end,
                    const char *const words[])
{
    for (; t && t != end; t = next_code(t))
        if (is_any(t, words))
            return true;
    return false;
}

static const char *const bounds[] = { "<", ">", "<=", ">=", NULL };

/* Is [t, end), the condition of a `for`, no bound of an index?  It may load, or
 * look at what the body has loaded. */
static bool may_be_polled(struct token *t, const struct token *end)
{
    return !has_any(t, end, bounds) && !may_declare(t, (struct token *)end);
}

/* The first ';' of a `for` that polls, or NULL. */
static struct token *polling_for(const struct token *t, bool has_volatile)
{
    struct token *open = next_code(t), *first, *second;
    if (!is(t, "for") || !is(open, "(") || !open->match)
        return NULL;
    first = find_at_top_level(next_code(open), open->match, ";", false);
    second = first ? find_at_top_level(next_code(first), open->match, ";",
                                       false) : NULL;
    if (!second)
        return NULL;
    const bool endless = next_code(first) == second;
    if (!endless && !(has_volatile && may_be_polled(next_code(first), second)))
        return NULL;
    return has_volatile || is_empty_statement(next_code(open->match)) ? first
                                                                      : NULL;
}

bool has_repeated_access(const struct unit *u)
{
    static const char *const words[] = { "volatile", "__ldcg", "__ldcv", NULL };
    static const char *const assembly[] = { "asm", "__asm__", "__asm", NULL };
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t))
        if (is_any(t, words) && !is_any(prev_code(t), assembly)
            && !in_cccl(u, t))
            return true;
    return false;
}

/* Only what the compiler can evaluate may be in a constexpr function. */
static bool may_poll(const struct unit *u, const struct function *f)
{
    return f->body && (f->global || f->device) && f->flags & FLAG_MAY_BLOCK
           && !in_cccl(u, f->name) && !contains(f->start, f->body, "constexpr");
}

/* The condition of a `while` that has a bound is one of an index. */
bool may_wait_in_loop(const struct function *f)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        struct token *open = next_code(t);
        if (is(t, "goto") || polling_for(t, true)
            || (is_polling_while(t, true)
                && !has_any(open, open->match, bounds)))
            return true;
    }
    return false;
}

static void rewrite_while(struct unit *u, struct token *t)
{
    struct token *open = next_code(t), *body = next_code(open->match);
    struct token *own = ends_do(t) ? prev_code(t)->match : body;
    if (is_endless(t) && begin_body(u, own, "softgpu_spin()"))
        return;
    if (!may_declare(next_code(open), open->match))
        insert_after(u, open, open, "softgpu_spin(),");
    else if (is(body, "{"))
        insert_after(u, body, body, "softgpu_spin();");
}

/* @param body  of the loop */
static void rewrite_for(struct unit *u, struct token *first,
                        struct token *body)
{
    struct token *condition = next_code(first);
    if (is(condition, ";") && begin_body(u, body, "softgpu_spin()"))
        return;
    insert_after(u, first, first, "softgpu_spin(),%s",
                 is(condition, ";") ? "true" : "");
}

/* `goto again;` in a statement of its own. */
static void rewrite_goto(struct unit *u, struct token *t)
{
    struct token *end = next_code(next_code(t));
    if (!is(end, ";"))
        return;
    insert_before(u, t, t, "{softgpu_spin();");
    insert_after(u, end, end, "}");
}

/* --- what is polled --- */

/* Is [t, end) `flag`, `!flag` or `turn != mine`, of variables?  One may be in
 * shared memory; if not, what the body loads first may decide. */
static bool is_flag(const struct token *t, const struct token *end)
{
    const struct token *name = is(t, "!") ? next_code(t) : t;
    const struct token *next = next_code(name);
    if (name->kind != T_IDENT)
        return false;
    return next == end
           || ((is(next, "==") || is(next, "!="))
               && next_code(next_code(next)) == end);
}

/* Can [t, end), a condition, load what another thread stores? */
static bool may_load(struct token *t, const struct token *end)
{
    static const char *const loads[] = { "*", "->", "[", "(", NULL };
    return has_any(t, end, loads);
}

/* Each operand of `a && b` and `a || b` may be a load. */
static void note_operands(struct unit *u, struct token *t, struct token *end,
                          const char *operator, const char *text)
{
    while ((t = find_at_top_level(t, end, operator, true)) != NULL) {
        insert_after(u, t, t, "%s", text);
        t = next_code(t);
    }
}

static void note_condition(struct unit *u, struct token *before,
                           struct token *end, bool may)
{
    struct token *t = next_code(before);
    if (t == end || !(may || may_load(t, end)))
        return;
    insert_after(u, before, before, "softgpu_polls(),");
    note_operands(u, t, end, "&&", " softgpu_polls() && ");
    note_operands(u, t, end, "||", " !softgpu_polls() || ");
}

/* Does a `#pragma unroll` stand before the loop?  gcc ignores it, and warns,
 * where the condition is more than one of a loop that counts. */
static bool is_unrolled(const struct token *t)
{
    while ((t = t->prev) != NULL && (t->is_removed || t->kind == T_TEXT))
        continue;
    return t && t->kind == T_PRAGMA;
}

/* `while (0)`, which ends many a macro's `do`: no loop. */
static bool is_never(const struct token *t)
{
    static const char *const never[] = { "false", "0", NULL };
    const struct token *open = next_code(t), *word = next_code(open);
    return is(open, "(") && is_any(word, never)
           && next_code(word) == open->match;
}

/* `do { ... }`, or `do statement;` */
static void note_do(struct unit *u, struct token *t)
{
    static const char *const longer[] = { "if", "for", "while", "do", "switch",
                                          NULL };
    struct token *body = next_code(t), *end = body;
    if (is(body, "{")) {
        if (!is_never(next_code(body->match)))
            insert_after(u, body, body, "softgpu_polls();");
        return;
    }
    while (end && !is(end, ";"))
        end = skip_group(end);
    if (!end || is_any(body, longer) || is_never(next_code(end)))
        return;
    insert_after(u, t, t, "{softgpu_polls();"); /* the body may be assembly */
    insert_after(u, end, end, "}");
}

/* Has note_do() noted the body of which t is the `while`? */
static bool is_noted_do(const struct token *t)
{
    return ends_do(t) || (t->prev && t->prev->kind == T_TEXT
                          && t->prev->text[0] == '}');
}

static void note_while(struct unit *u, struct token *t, struct token *open)
{
    struct token *body = next_code(open->match);
    const bool waits = is_empty_statement(body) || is(body, "continue");
    const bool decides = is_endless(t) || is_flag(next_code(open), open->match);
    if (is_unrolled(t) || (decides && is_noted_do(t)))
        return;
    if (decides && !waits)
        begin_body(u, body, "softgpu_polls()");
    else
        note_condition(u, open, open->match, decides);
}

static void note_polls(struct unit *u, struct token *t)
{
    struct token *open = next_code(t), *first = polling_for(t, true);
    if (is_polling_while(t, true)
        && !may_declare(next_code(open), open->match))
        note_while(u, t, open);
    else if (first && is(next_code(first), ";"))
        begin_body(u, next_code(open->match), "softgpu_polls()");
    else if (first && !is_unrolled(t))
        note_condition(u, first, find_at_top_level(next_code(first),
                                                   open->match, ";", false),
                       false);
    else if (is(t, "do"))
        note_do(u, t);
}

void rewrite_polling(struct unit *u)
{
    const bool repeats = u->repeats_accesses;
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (!may_poll(u, f))
            continue;
        for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
            struct token *first = polling_for(t, repeats);
            if (is_polling_while(t, repeats))
                rewrite_while(u, t);
            else if (first)
                rewrite_for(u, first, next_code(next_code(t)->match));
            else if (repeats && is(t, "goto"))
                rewrite_goto(u, t);
            if (u->notes_polls)
                note_polls(u, t);
        }
    }
}
