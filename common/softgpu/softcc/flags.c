/* SPDX-License-Identifier: MIT */
/* Can a thread of this kernel stop in the middle, and does a function it calls
 * read threadIdx and its kin?  Asked by name: a function is what its own body
 * mentions and what the functions of the names it calls are.  What is not known
 * counts as both; overloaded operators, constructors and conversions, which are
 * called without a name, count for every kernel. */
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "tokens.h"

#define BOTH (FLAG_MAY_BLOCK | FLAG_NEEDS_IDS)

/* Names that are types here: the student's classes, aliases and template
 * parameters. */
struct types {
    const struct token **names;
    int count;
};

struct graph {
    struct unit *unit;
    struct types types;
    unsigned implicit; /* flags of functions that are called without a name */
    bool changed;
};

static bool is_type(const struct graph *g, const struct token *t)
{
    if (is_type_word(t) || is_device_type(t))
        return true;
    for (int i = 0; i < g->types.count; i++)
        if (same(g->types.names[i], t))
            return true;
    return false;
}

static void add_type(struct graph *g, const struct token *t)
{
    if (!is_word(t) || is_type(g, t))
        return;
    struct types *n = &g->types;
    n->names = realloc(n->names, sizeof *n->names * (size_t)(n->count + 1));
    n->names[n->count++] = t;
}

/* `struct X`, `class X`, `typename X`, `using X =`, `typedef ... X;` */
static void find_types(struct graph *g)
{
    static const char *const heads[] = { "struct", "class", "union", "enum",
                                         "typename", "using", NULL };
    for (struct token *t = this_code(g->unit->first); t; t = next_code(t)) {
        if (is_any(t, heads)) {
            struct token *name = next_code(t);
            if (is(name, "class") || is(name, "..."))
                name = next_code(name);
            add_type(g, name);
        } else if (is(t, "typedef")) {
            struct token *end = find_flat(t, NULL, ";", false);
            add_type(g, prev_code(end));
        }
    }
}

/* --- calls ------------------------------------------------------------------------- */

static bool is_conversion(const struct function *f)
{
    return is(f->name, "operator");
}

/* Constructors and destructors are named like a class. */
static bool is_implicit(const struct graph *g, const struct function *f)
{
    return is_conversion(f) || is_type(g, f->name);
}

/* Flags of all functions of this name; `found` if there is one with a body. */
static unsigned flags_of(const struct graph *g, const struct token *name,
                         bool *found)
{
    unsigned flags = 0;
    for (int i = 0; i < g->unit->function_count; i++) {
        const struct function *f = &g->unit->functions[i];
        if (f->body && same(f->name, name)) {
            flags |= f->flags;
            *found = true;
        }
    }
    return flags;
}

/* `auto name = [..](..) {..}`: its body is part of the one around it. */
static bool is_local_lambda(const struct function *f, const struct token *name)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (same(t, name) && is(next_code(t), "=")
            && is(next_code(next_code(t)), "["))
            return true;
    return false;
}

/* `int n(3)`: not a call. */
static bool is_declared(const struct graph *g, const struct token *name)
{
    struct token *before = prev_code(name);
    return is_word(before) && is_type(g, before);
}

static unsigned flags_of_name(const struct graph *g, const struct function *f,
                              const struct token *name)
{
    bool found = false;
    if (is_keyword(name) || is_type(g, name) || is_declared(g, name))
        return 0;
    unsigned flags = flags_of(g, name, &found);
    if (found)
        return flags;
    if (is_blocking(name))
        return FLAG_MAY_BLOCK;
    if (is(name, "__assert_fail") || is(name, "__trap"))
        return FLAG_NEEDS_IDS; /* they say which thread it was */
    if (is_harmless(name) || is_local_lambda(f, name))
        return 0;
    return BOTH;
}

/* The group that `close` ends is `(float)` or `(T *)`: a cast. */
static bool is_cast(const struct graph *g, const struct token *close)
{
    struct token *t = next_code(close->match);
    if (t == close)
        return false;
    for (; t && t != close; t = next_code(t)) {
        struct token *angle = is(t, "<") ? close_angle(t) : NULL;
        if (angle)
            t = angle;
        else if (!is(t, "*") && !is(t, "&") && !is(t, "::")
                 && !is(next_code(t), "::") && !(is_word(t) && is_type(g, t)))
            return false;
    }
    return true;
}

/* What stands before the '(' at `open`, and so what is called, if anything. */
static unsigned flags_of_call(const struct graph *g, const struct function *f,
                              struct token *open)
{
    static const char *const heads[] = { "if", "for", "while", "switch",
                                         "sizeof", "alignas", "decltype",
                                         "constexpr", "__attribute__",
                                         "alignof", "__launch_bounds__", NULL };
    struct token *before = prev_code(open);
    if (is(before, ">")) {
        struct token *angle = open_angle(before);
        before = angle && is_word(prev_code(angle)) ? prev_code(angle) : open;
    }
    if (is_word(before))
        return flags_of_name(g, f, before);
    if (before == NULL || before->match == NULL)
        return 0;
    if (is(before, "]")) { /* table[i](x), or the head of a lambda */
        struct token *array = prev_code(before->match);
        bool lambda = !is_word(array) && !is(array, ")") && !is(array, "]");
        return lambda || is(array, "return") ? 0 : BOTH;
    }
    if (is(before, ")") && !is_any(prev_code(before->match), heads)
        && !is_cast(g, before))
        return BOTH;
    return 0;
}

static unsigned flags_of_body(const struct graph *g, const struct function *f)
{
    static const char *const ids[] = { "threadIdx", "blockIdx", "blockDim",
                                       "gridDim", NULL };
    static const char *const unknown[] = { "cooperative_groups", "nvcuda",
                                           "cuda", "cg", "asm", "__asm__",
                                           NULL };
    unsigned flags = 0;
    for (struct token *t = f->start; t && t != f->end; t = next_code(t)) {
        if (is_any(t, unknown))
            flags |= BOTH;
        if (is(t, "volatile"))
            flags |= FLAG_MAY_BLOCK;
        if (!f->global && is_any(t, ids))
            flags |= FLAG_NEEDS_IDS;
    }
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (is(t, "("))
            flags |= flags_of_call(g, f, t);
    return flags;
}

void find_flags(struct unit *u)
{
    struct graph g = { .unit = u, .changed = true };
    find_types(&g);
    while (g.changed) {
        g.changed = false;
        for (int i = 0; i < u->function_count; i++) {
            struct function *f = &u->functions[i];
            if (f->body == NULL || (!f->global && !f->device))
                continue; /* host functions are not called from kernels */
            unsigned flags = f->flags | flags_of_body(&g, f);
            if (is_implicit(&g, f) && f->device)
                g.implicit |= flags;
            g.changed |= flags != f->flags;
            f->flags = flags;
        }
    }
    for (int i = 0; i < u->function_count; i++)
        if (u->functions[i].global)
            u->functions[i].flags |= g.implicit;
    free(g.types.names);
}
