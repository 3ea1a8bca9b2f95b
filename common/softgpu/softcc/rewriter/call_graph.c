/* SPDX-License-Identifier: MIT */
/* The call graph: can a thread of a kernel block, and does a function that the
 * kernel calls read a built-in variable (threadIdx ...)?  The flags of a
 * function are those of its body and of all functions whose names it calls;
 * they are propagated until none changes.  An unknown callee has both flags.
 * Overloaded operators, constructors and conversions are called without a name,
 * and so are default member initializers: their flags count for every
 * kernel. */
#include <stdlib.h>
#include <string.h>

#include "builtins.h"
#include "tokens.h"

#define ALL_FLAGS (FLAG_MAY_BLOCK | FLAG_NEEDS_BUILTINS)

/* Names of types: classes, aliases and template parameters of the program. */
struct type_names {
    const struct token **names;
    int count;
};

struct call_graph {
    struct unit *unit;
    struct type_names type_names;
    unsigned implicit_flags; /* of functions that are called without a name */
    bool changed;
};

static bool is_type_name(const struct call_graph *g, const struct token *t)
{
    if (is_type_word(t) || is_device_type(t))
        return true;
    for (int i = 0; i < g->type_names.count; i++)
        if (same_text(g->type_names.names[i], t))
            return true;
    return false;
}

static void add_type_name(struct call_graph *g, const struct token *t)
{
    if (!is_word(t) || is_type_name(g, t))
        return;
    struct type_names *n = &g->type_names;
    n->names = realloc(n->names, sizeof *n->names * (size_t)(n->count + 1));
    n->names[n->count++] = t;
}

/* `struct X`, `class X`, `typename X`, `using X =`, `typedef ... X;` */
static void find_type_names(struct call_graph *g)
{
    static const char *const keywords[] = { "struct", "class", "union", "enum",
                                            "typename", "using", NULL };
    for (struct token *t = skip_to_code(g->unit->first); t; t = next_code(t)) {
        if (is_any(t, keywords)) {
            struct token *name = next_code(t);
            if (is(name, "class") || is(name, "..."))
                name = next_code(name);
            add_type_name(g, name);
        } else if (is(t, "typedef")) {
            struct token *end = find_at_top_level(t, NULL, ";", false);
            add_type_name(g, prev_code(end));
        }
    }
}

/* --- calls ---------------------------------------------------------------- */

static bool is_conversion(const struct function *f)
{
    return is(f->name, "operator");
}

/* Constructors and destructors have the name of a class. */
static bool is_called_implicitly(const struct call_graph *g,
                                 const struct function *f)
{
    return is_conversion(f) || is_type_name(g, f->name);
}

/* Flags of all functions with this name.
 * @param[out] found  true if one of them has a body */
static unsigned function_flags(const struct call_graph *g,
                               const struct token *name, bool *found)
{
    unsigned flags = 0;
    for (int i = 0; i < g->unit->function_count; i++) {
        const struct function *f = &g->unit->functions[i];
        if (f->body && same_text(f->name, name)) {
            flags |= f->flags;
            *found = true;
        }
    }
    return flags;
}

/* `auto name = [..](..) {..}`: its body is part of the enclosing one. */
static bool is_local_lambda(const struct function *f, const struct token *name)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (same_text(t, name) && is(next_code(t), "=")
            && is(next_code(next_code(t)), "["))
            return true;
    return false;
}

/* `int n(3)` is no call. */
static bool is_variable_declaration(const struct call_graph *g,
                                    const struct token *name)
{
    struct token *before = prev_code(name);
    return is_word(before) && is_type_name(g, before);
}

static unsigned callee_flags(const struct call_graph *g,
                             const struct function *f, const struct token *name)
{
    bool found = false;
    if (is_keyword(name) || is_type_name(g, name)
        || is_variable_declaration(g, name))
        return 0;
    unsigned flags = function_flags(g, name, &found);
    if (found)
        return flags;
    if (may_block_by_name(name))
        return FLAG_MAY_BLOCK;
    if (is(name, "__assert_fail")) /* it ends one thread, which names itself */
        return ALL_FLAGS;
    if (is(name, "cudaDeviceSynchronize"))
        return ALL_FLAGS | FLAG_WAITS_FOR_CHILDREN;
    if (is(name, "__trap"))
        return FLAG_NEEDS_BUILTINS; /* the message names the thread */
    if (is_leaf_builtin(name) || is_local_lambda(f, name))
        return 0;
    return ALL_FLAGS;
}

/* Does `close` end a cast: `(float)` or `(T *)`? */
static bool is_cast(const struct call_graph *g, const struct token *close)
{
    struct token *t = next_code(close->match);
    if (t == close)
        return false;
    for (; t && t != close; t = next_code(t)) {
        struct token *angle = is(t, "<") ? find_close_angle(t) : NULL;
        if (angle)
            t = angle;
        else if (!is(t, "*") && !is(t, "&") && !is(t, "::")
                 && !is(next_code(t), "::")
                 && !(is_word(t) && is_type_name(g, t)))
            return false;
    }
    return true;
}

/* Flags of the function that the '(' at `open` calls, if it is a call. */
static unsigned call_flags(const struct call_graph *g, const struct function *f,
                           struct token *open)
{
    static const char *const keywords[] = { "if", "for", "while", "switch",
                                            "sizeof", "alignas", "decltype",
                                            "constexpr", "__attribute__",
                                            "alignof", "__launch_bounds__",
                                            NULL };
    struct token *before = prev_code(open);
    if (is(before, ">")) {
        struct token *angle = find_open_angle(before);
        before = angle && is_word(prev_code(angle)) ? prev_code(angle) : open;
    }
    if (is_word(before))
        return callee_flags(g, f, before);
    if (before == NULL || before->match == NULL)
        return 0;
    if (is(before, "]")) { /* table[i](x), or the head of a lambda */
        struct token *array = prev_code(before->match);
        bool lambda = !is_word(array) && !is(array, ")") && !is(array, "]");
        return lambda || is(array, "return") ? 0 : ALL_FLAGS;
    }
    if (is(before, ")") && !is_any(prev_code(before->match), keywords)
        && !is_cast(g, before))
        return ALL_FLAGS;
    return 0;
}

static bool is_builtin_variable(const struct token *t)
{
    static const char *const ids[] = { "threadIdx", "blockIdx", "blockDim",
                                       "gridDim", NULL };
    return is_any(t, ids);
}

/* Flags of the calls between two tokens. */
static unsigned range_flags(const struct call_graph *g,
                            const struct function *f, struct token *from,
                            const struct token *to)
{
    unsigned flags = 0;
    for (struct token *t = from; t && t != to; t = next_code(t))
        if (is(t, "("))
            flags |= call_flags(g, f, t);
    return flags;
}

/* Flags of the calls in default arguments, as `int n = size()`. */
static unsigned default_argument_flags(const struct call_graph *g,
                                       const struct function *f)
{
    struct token *equals = find_at_top_level(next_code(f->open), f->close, "=",
                                             true);
    return equals ? range_flags(g, f, equals, f->close) : 0;
}

/* Flags of the calls in member initializers.  In `: x(f()), y{g()}` only the
 * brackets hold calls: x and y are members or bases. */
static unsigned initializer_flags(const struct call_graph *g,
                                  const struct function *f)
{
    unsigned flags = 0;
    struct token *t = f->body ? next_code(f->close) : NULL;
    while (t && t != f->body && !is(t, ":"))
        t = skip_group(t);
    for (; t && t != f->body; t = skip_group(t))
        if (t->match && !is(t, "["))
            flags |= range_flags(g, f, next_code(t), t->match);
    return flags;
}

/* Can a call of this name be of a device function?  Not if the program has
 * only host functions of that name, or none. */
static bool may_run_on_device(const struct call_graph *g,
                              const struct token *name)
{
    for (int i = 0; i < g->unit->function_count; i++)
        if (g->unit->functions[i].device
            && same_text(g->unit->functions[i].name, name))
            return true;
    return may_block_by_name(name);
}

static unsigned body_flags(const struct call_graph *g, const struct function *f)
{
    static const char *const unknown[] = { "cooperative_groups", "nvcuda",
                                           "cuda", "cg", "asm", "__asm__",
                                           "__asm",
                                           NULL };
    unsigned flags =
        f->notes_lockstep || g->unit->lockstep ? FLAG_MAY_BLOCK : 0;
    if (g->unit->repeats_accesses && may_wait_in_loop(f))
        flags |= FLAG_MAY_BLOCK;
    for (struct token *t = f->start; t && t != f->end; t = next_code(t)) {
        if (is_any(t, unknown))
            flags |= ALL_FLAGS;
        if (is(t, "volatile"))
            flags |= FLAG_MAY_BLOCK;
        if (!f->global && is_builtin_variable(t))
            flags |= FLAG_NEEDS_BUILTINS;
    }
    return flags | range_flags(g, f, f->body, f->end)
           | default_argument_flags(g, f) | initializer_flags(g, f);
}

/* Flags of the calls between two tokens of a member's declaration.  A function
 * that no file of the program declares for devices is one of the host. */
static unsigned member_flags(const struct call_graph *g,
                             const struct initializer *member)
{
    static const struct function none;
    unsigned flags = 0;
    struct token *t = member->start;
    while (t && t != member->end && !is(t, "=") && !is(t, "{"))
        t = is(t, "(") || is(t, "[") ? skip_group(t) : next_code(t);
    for (; t && t != member->end; t = next_code(t)) {
        if (is_builtin_variable(t))
            flags |= FLAG_NEEDS_BUILTINS;
        if (is(t, "(") && is_word(prev_code(t))
            && !may_run_on_device(g, prev_code(t)))
            continue;
        if (is(t, "("))
            flags |= call_flags(g, &none, t);
    }
    return flags;
}

/* Can the call at this '(' be a barrier of the block?  Not a warp function and
 * not an atomic. */
static bool may_be_barrier(const struct call_graph *g, const struct function *f,
                           struct token *open)
{
    static const char *const barriers[] = { "__syncthreads",
                                            "__syncthreads_count",
                                            "__syncthreads_and",
                                            "__syncthreads_or", "sync", NULL };
    struct token *name = prev_code(open);
    bool found = false;
    if (is_any(name, barriers))
        return true;
    if (is_word(name) && may_block_by_name(name)
        && !(function_flags(g, name, &found), found))
        return false;
    return call_flags(g, f, open) & FLAG_MAY_BLOCK;
}

static void find_last_barrier(const struct call_graph *g, struct function *f)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (is(t, "(") && may_be_barrier(g, f, t))
            f->last_barrier = t;
}

void find_kernel_flags(struct unit *u)
{
    struct call_graph g = { .unit = u, .changed = true };
    find_type_names(&g);
    u->repeats_accesses = has_repeated_access(u);
    while (g.changed) {
        g.changed = false;
        for (int i = 0; i < u->function_count; i++) {
            struct function *f = &u->functions[i];
            if (f->body == NULL || (!f->global && !f->device))
                continue; /* host functions are not called from kernels */
            unsigned flags = f->flags | body_flags(&g, f);
            if (is_called_implicitly(&g, f) && f->device)
                g.implicit_flags |= flags;
            g.changed |= flags != f->flags;
            f->flags = flags;
        }
    }
    for (int i = 0; i < u->initializer_count; i++)
        g.implicit_flags |= member_flags(&g, &u->initializers[i]);
    for (int i = 0; i < u->function_count; i++) {
        struct function *f = &u->functions[i];
        if (!f->global)
            continue;
        f->flags |= g.implicit_flags;
        if (f->body)
            find_last_barrier(&g, f);
    }
    free(g.type_names.names);
}
