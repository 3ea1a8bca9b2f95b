/* SPDX-License-Identifier: MIT */
/* The bounds check of a kernel.  Most kernels begin with
 *
 *     const int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i < n) ...                          or: if (i >= n) return;
 *
 * The condition compares an index, which rises with threadIdx, with a value
 * that is the same for all threads.  So if it is true for the first and for the
 * last thread of a block, it is true for all.  It becomes
 *
 *     if (softgpu_guard.probe(i < n)) return;
 *     if (softgpu_guard.always_true || (i < n)) ...
 *
 * The runtime probes both threads; if the condition is always true, the loop
 * over the threads has no branch and the compiler vectorizes it
 * (softgpu/launch.h).  For `if (i >= n) return;` the negated condition is
 * probed. */
#include <string.h>

#include "tokens.h"

/* Kind of an expression of the built-in variables.  BASE is blockIdx times
 * blockDim; the sum of BASE and THREAD of one dimension is an INDEX. */
enum kind { OTHER, THREAD, BLOCK, BLOCK_DIM, BASE, INDEX };

struct value {
    enum kind kind;
    char dimension;
};

struct guard_parser {
    const struct function *function;
    struct token *t; /* next token */
    struct token *indices[8];
    int count;
};

/* A word of a type in which every index fits. */
static bool is_index_type(const struct token *t)
{
    static const char *const words[] = {
        "const", "int", "unsigned", "signed", "long", "size_t", "ptrdiff_t",
        "int32_t", "uint32_t", "int64_t", "uint64_t", "uint", NULL };
    return is_any(t, words);
}

/* Skip the token if it is this one. */
static bool accept(struct guard_parser *r, const char *text)
{
    if (!is(r->t, text))
        return false;
    r->t = next_code(r->t);
    return true;
}

/* Skip `(size_t)` or `<size_t>`: a type between brackets. */
static bool accept_cast(struct guard_parser *r, const char *open,
                        const char *close)
{
    struct token *t = r->t;
    if (!is(t, open) || !is_index_type(next_code(t)))
        return false;
    for (t = next_code(t); is_index_type(t);)
        t = next_code(t);
    if (!is(t, close))
        return false;
    r->t = next_code(t);
    return true;
}

static struct value parse_sum(struct guard_parser *r);

static struct value parse_parenthesized(struct guard_parser *r)
{
    const struct value none = { OTHER, 0 };
    struct value v = accept(r, "(") ? parse_sum(r) : none;
    return accept(r, ")") ? v : none;
}

/* `threadIdx.x`, `blockIdx.y`, `blockDim.z` ... */
static struct value parse_builtin(struct guard_parser *r)
{
    static const struct {
        const char *name;
        enum kind kind;
    } names[] = { { "threadIdx", THREAD }, { "blockIdx", BLOCK },
                  { "blockDim", BLOCK_DIM } };
    struct token *dot = next_code(r->t), *member = next_code(dot);
    struct value v = { OTHER, 0 };
    for (int i = 0; i < 3; i++)
        if (is(r->t, names[i].name) && is(dot, ".") && is_word(member)
            && member->length == 1)
            v = (struct value){ names[i].kind, member->text[0] };
    r->t = v.kind == OTHER ? r->t : next_code(member);
    return v;
}

static struct value parse_factor(struct guard_parser *r)
{
    if (accept(r, "static_cast"))
        return accept_cast(r, "<", ">") ? parse_parenthesized(r)
                                        : (struct value){ OTHER, 0 };
    if (accept_cast(r, "(", ")"))
        return parse_factor(r);
    return is(r->t, "(") ? parse_parenthesized(r) : parse_builtin(r);
}

static struct value parse_product(struct guard_parser *r)
{
    struct value a = parse_factor(r);
    if (!accept(r, "*"))
        return a;
    struct value b = parse_factor(r);
    bool base = (a.kind == BLOCK && b.kind == BLOCK_DIM)
                || (a.kind == BLOCK_DIM && b.kind == BLOCK);
    return (struct value){ base && a.dimension == b.dimension ? BASE : OTHER,
                           a.dimension };
}

static struct value parse_sum(struct guard_parser *r)
{
    struct value a = parse_product(r);
    if (!accept(r, "+"))
        return a;
    struct value b = parse_product(r);
    bool index = (a.kind == BASE && b.kind == THREAD)
                 || (a.kind == THREAD && b.kind == BASE);
    return (struct value){ index && a.dimension == b.dimension ? INDEX : OTHER,
                           a.dimension };
}

/* `const int x = ..., y = ...;` of indices, whose names are recorded. */
static bool parse_index_declarations(struct guard_parser *r)
{
    if (!is_index_type(r->t) && !is(r->t, "auto"))
        return false;
    while (is_index_type(r->t) || is(r->t, "auto"))
        r->t = next_code(r->t);
    do {
        struct token *name = r->t;
        if (!is_word(name) || r->count == 8 || !is(next_code(name), "="))
            return false;
        r->t = next_code(next_code(name));
        enum kind kind = parse_sum(r).kind;
        if (kind != INDEX && kind != THREAD)
            return false;
        r->indices[r->count++] = name;
    } while (accept(r, ","));
    return accept(r, ";");
}

/* --- the condition -------------------------------------------------------- */

static bool is_index(const struct guard_parser *r, const struct token *t)
{
    for (int i = 0; i < r->count; i++)
        if (same_text(r->indices[i], t))
            return true;
    return false;
}

/* Is it a parameter passed by value, and no pointer? */
static bool is_value_parameter(const struct function *f, const struct token *t)
{
    static const char *const indirect[] = { "*", "&", "[", "...", NULL };
    for (struct token *p = next_code(f->open); p && p != f->close;) {
        struct token *comma = find_at_top_level(p, f->close, ",", true);
        struct token *end = comma ? comma : f->close;
        bool value = true;
        for (struct token *i = p; i && i != end; i = next_code(i))
            value &= !is_any(i, indirect);
        if (same_text(prev_code(end), t))
            return value;
        p = comma ? next_code(comma) : f->close;
    }
    return false;
}

/* Is the expression [t, end) uniform: the same for all threads of a block at
 * all times?  It may use numbers, parameters and their members, and the launch
 * configuration. */
static bool is_uniform(const struct guard_parser *r, struct token *t,
                       const struct token *end)
{
    static const char *const shape[] = { "blockIdx", "blockDim", "gridDim",
                                         NULL };
    static const char *const operators[] = { "+", "-", "*", "/", "%", "(", ")",
                                         ".", NULL };
    for (; t && t != end; t = next_code(t)) {
        bool member = is(prev_code(t), ".") && !is(next_code(t), "(");
        bool known = t->kind == T_NUMBER || is_any(t, operators)
                     || is_index_type(t) || is_any(t, shape);
        if (!known && !(is_word(t) && member)
            && !is_value_parameter(r->function, t))
            return false;
    }
    return true;
}

/* Does [t, end) compare an index with a uniform expression, as `i < n`? */
static bool is_comparison(const struct guard_parser *r, struct token *t,
                          struct token *end)
{
    static const char *const operators[] = { "<", "<=", ">", ">=", NULL };
    struct token *comparison = t;
    while (comparison && comparison != end && !is_any(comparison, operators))
        comparison = next_code(comparison);
    struct token *right = next_code(comparison);
    if (comparison == end || comparison == t || right == end)
        return false;
    if (is_index(r, t) && next_code(t) == comparison)
        return is_uniform(r, right, end);
    return is_index(r, right) && next_code(right) == end
           && is_uniform(r, t, comparison);
}

/* Parse comparisons joined by one operator.
 * @return their number, 0 for another expression */
static int count_comparisons(const struct guard_parser *r, struct token *t,
                             struct token *end, const char *operator)
{
    for (int n = 1;; n++) {
        struct token *stop = find_at_top_level(t, end, operator, false);
        struct token *to = stop ? stop : end, *from = t;
        if (is(t, "(") && next_code(t->match) == to) {
            to = t->match;
            from = next_code(t);
        }
        if (!is_comparison(r, from, to))
            return 0;
        if (!stop)
            return n;
        t = next_code(stop);
    }
}

static bool is_early_return(struct token *t)
{
    t = is(t, "{") ? next_code(t) : t;
    return is(t, "return");
}

/* Insert the guard into `if (...)` at t, whose parenthesis is `open`.
 * @param is_exit  threads for which the condition holds are out of bounds */
static void insert_guard(struct unit *u, struct token *t, struct token *open,
                         bool is_exit)
{
    const char *text = text_of(u, next_code(open), open->match);
    insert_before(u, t, t, "if(softgpu_guard.probe(%s(%s)))return;",
               is_exit ? "!" : "", text);
    insert_after(u, open, open, "%s(",
                 is_exit ? "!softgpu_guard.always_true&&"
                         : "softgpu_guard.always_true||");
    insert_before(u, open->match, open->match, ")");
}

bool rewrite_guard(struct unit *u, const struct function *f)
{
    struct guard_parser r = { .function = f, .t = next_code(f->body) };
    while (!is(r.t, "if"))
        if (!parse_index_declarations(&r))
            return false;
    struct token *open = next_code(r.t);
    if (!is(open, "(") || !open->match)
        return false;
    struct token *first = next_code(open);
    int all = count_comparisons(&r, first, open->match, "&&");
    int any = count_comparisons(&r, first, open->match, "||");
    if (!all && !any)
        return false;
    insert_guard(u, r.t, open,
                 any > 1
                     || (all < 2 && is_early_return(next_code(open->match))));
    return true;
}
