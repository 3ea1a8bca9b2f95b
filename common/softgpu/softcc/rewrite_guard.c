/* SPDX-License-Identifier: MIT */
/* Most kernels begin so:
 *
 *     const int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i < n) ...                          or: if (i >= n) return;
 *
 * The guard holds for all threads of a block if it holds for the first and
 * the last, since it only compares what rises with threadIdx to what is the
 * same for all.  It becomes `if (softgpu_guard.holds || (i < n))`, and before
 * it comes a way to ask; so the loop over the threads of most blocks has no
 * branch, and the compiler makes vectors of it (softgpu/launch.h). */
#include <string.h>

#include "tokens.h"

/* What an expression of the built-in variables is; the sum of a base and a
 * thread, both of one dimension, is an index. */
enum kind { OTHER, THREAD, BLOCK, EXTENT, BASE, INDEX };

struct value {
    enum kind kind;
    char dimension;
};

struct reader {
    const struct function *function;
    struct token *t; /* what comes next */
    struct token *indices[8];
    int count;
};

/* A word of a type that holds every index. */
static bool is_wide(const struct token *t)
{
    static const char *const words[] = {
        "const", "int", "unsigned", "signed", "long", "size_t", "ptrdiff_t",
        "int32_t", "uint32_t", "int64_t", "uint64_t", "uint", NULL };
    return is_any(t, words);
}

/* Steps over the token if it is this one. */
static bool take(struct reader *r, const char *text)
{
    if (!is(r->t, text))
        return false;
    r->t = next_code(r->t);
    return true;
}

/* `(size_t)` or `<size_t>`: a type between brackets; steps over it. */
static bool take_cast(struct reader *r, const char *open, const char *close)
{
    struct token *t = r->t;
    if (!is(t, open) || !is_wide(next_code(t)))
        return false;
    for (t = next_code(t); is_wide(t);)
        t = next_code(t);
    if (!is(t, close))
        return false;
    r->t = next_code(t);
    return true;
}

static struct value sum(struct reader *r);

static struct value in_brackets(struct reader *r)
{
    const struct value none = { OTHER, 0 };
    struct value v = take(r, "(") ? sum(r) : none;
    return take(r, ")") ? v : none;
}

/* `threadIdx.x` and the like. */
static struct value variable(struct reader *r)
{
    static const struct {
        const char *name;
        enum kind kind;
    } names[] = { { "threadIdx", THREAD }, { "blockIdx", BLOCK },
                  { "blockDim", EXTENT } };
    struct token *dot = next_code(r->t), *member = next_code(dot);
    struct value v = { OTHER, 0 };
    for (int i = 0; i < 3; i++)
        if (is(r->t, names[i].name) && is(dot, ".") && is_word(member)
            && member->length == 1)
            v = (struct value){ names[i].kind, member->text[0] };
    r->t = v.kind == OTHER ? r->t : next_code(member);
    return v;
}

static struct value factor(struct reader *r)
{
    if (take(r, "static_cast"))
        return take_cast(r, "<", ">") ? in_brackets(r)
                                      : (struct value){ OTHER, 0 };
    if (take_cast(r, "(", ")"))
        return factor(r);
    return is(r->t, "(") ? in_brackets(r) : variable(r);
}

static struct value product(struct reader *r)
{
    struct value a = factor(r);
    if (!take(r, "*"))
        return a;
    struct value b = factor(r);
    bool base = (a.kind == BLOCK && b.kind == EXTENT)
                || (a.kind == EXTENT && b.kind == BLOCK);
    return (struct value){ base && a.dimension == b.dimension ? BASE : OTHER,
                           a.dimension };
}

static struct value sum(struct reader *r)
{
    struct value a = product(r);
    if (!take(r, "+"))
        return a;
    struct value b = product(r);
    bool index = (a.kind == BASE && b.kind == THREAD)
                 || (a.kind == THREAD && b.kind == BASE);
    return (struct value){ index && a.dimension == b.dimension ? INDEX : OTHER,
                           a.dimension };
}

/* `const int x = ..., y = ...;` of indices: remembers their names. */
static bool take_indices(struct reader *r)
{
    if (!is_wide(r->t) && !is(r->t, "auto"))
        return false;
    while (is_wide(r->t) || is(r->t, "auto"))
        r->t = next_code(r->t);
    do {
        struct token *name = r->t;
        if (!is_word(name) || r->count == 8 || !is(next_code(name), "="))
            return false;
        r->t = next_code(next_code(name));
        enum kind kind = sum(r).kind;
        if (kind != INDEX && kind != THREAD)
            return false;
        r->indices[r->count++] = name;
    } while (take(r, ","));
    return take(r, ";");
}

/* --- the condition ---------------------------------------------------------------- */

static bool is_index(const struct reader *r, const struct token *t)
{
    for (int i = 0; i < r->count; i++)
        if (same(r->indices[i], t))
            return true;
    return false;
}

/* A parameter that is passed by value and is no pointer. */
static bool is_value_parameter(const struct function *f, const struct token *t)
{
    static const char *const indirect[] = { "*", "&", "[", "...", NULL };
    for (struct token *p = next_code(f->open); p && p != f->close;) {
        struct token *comma = find_flat(p, f->close, ",", true);
        struct token *end = comma ? comma : f->close;
        bool value = true;
        for (struct token *i = p; i && i != end; i = next_code(i))
            value &= !is_any(i, indirect);
        if (same(prev_code(end), t))
            return value;
        p = comma ? next_code(comma) : f->close;
    }
    return false;
}

/* Do the tokens [t, end) mean the same for all threads, whatever they do?
 * Numbers, parameters and their members, the shape of the launch. */
static bool is_uniform(const struct reader *r, struct token *t,
                       const struct token *end)
{
    static const char *const shape[] = { "blockIdx", "blockDim", "gridDim",
                                         NULL };
    static const char *const signs[] = { "+", "-", "*", "/", "%", "(", ")",
                                         ".", NULL };
    for (; t && t != end; t = next_code(t)) {
        bool member = is(prev_code(t), ".") && !is(next_code(t), "(");
        bool known = t->kind == T_NUMBER || is_any(t, signs) || is_wide(t)
                     || is_any(t, shape);
        if (!known && !(is_word(t) && member)
            && !is_value_parameter(r->function, t))
            return false;
    }
    return true;
}

/* [t, end) is `i < n` or the like, either way round. */
static bool is_comparison(const struct reader *r, struct token *t,
                          struct token *end)
{
    static const char *const signs[] = { "<", "<=", ">", ">=", NULL };
    struct token *sign = t;
    while (sign && sign != end && !is_any(sign, signs))
        sign = next_code(sign);
    struct token *right = next_code(sign);
    if (sign == end || sign == t || right == end)
        return false;
    if (is_index(r, t) && next_code(t) == sign)
        return is_uniform(r, right, end);
    return is_index(r, right) && next_code(right) == end
           && is_uniform(r, t, sign);
}

/* Comparisons, all joined by `joint`. @return how many, 0 if it is not so */
static int comparisons(const struct reader *r, struct token *t,
                       struct token *end, const char *joint)
{
    for (int n = 1;; n++) {
        struct token *stop = find_flat(t, end, joint, false);
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

static bool returns(struct token *t)
{
    t = is(t, "{") ? next_code(t) : t;
    return is(t, "return");
}

/* Rewrite `if (open ... )` at t, where `negative` guards keep threads out. */
static void rewrite_if(struct unit *u, struct token *t, struct token *open,
                       bool negative)
{
    const char *text = text_of(u, next_code(open), open->match);
    put_before(u, t, t, "if(softgpu_guard.asks(%s(%s)))return;",
               negative ? "!" : "", text);
    put_after(u, open, open, "%s(",
              negative ? "!softgpu_guard.holds&&" : "softgpu_guard.holds||");
    put_before(u, open->match, open->match, ")");
}

bool rewrite_guard(struct unit *u, const struct function *f)
{
    struct reader r = { .function = f, .t = next_code(f->body) };
    while (!is(r.t, "if"))
        if (!take_indices(&r))
            return false;
    struct token *open = next_code(r.t);
    if (!is(open, "(") || !open->match)
        return false;
    struct token *first = next_code(open);
    int all = comparisons(&r, first, open->match, "&&");
    int any = comparisons(&r, first, open->match, "||");
    if (!all && !any)
        return false;
    rewrite_if(u, r.t, open,
               any > 1 || (all < 2 && returns(next_code(open->match))));
    return true;
}
