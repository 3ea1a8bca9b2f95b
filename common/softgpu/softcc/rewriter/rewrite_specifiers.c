/* SPDX-License-Identifier: MIT */
/* CUDA's specifiers are removed.  Device functions and variables have internal
 * linkage without -rdc: they become static, so that several files can define
 * one name. */
#include "tokens.h"

#define INTERNAL_LINKAGE "static __attribute__((unused)) "

/* Does another declaration give the variable its linkage: an `extern` one, or
 * the one in the class or namespace that qualifies its name? */
static bool has_linkage(const struct unit *u, const struct variable *v)
{
    struct token *name = declared_name(v->start, v->end);
    if (name && is(prev_code(name), "::"))
        return true;
    for (int i = 0; i < u->variable_count; i++) {
        const struct variable *other = &u->variables[i];
        if (find_at_top_level(other->start, other->end, "extern", true)
            && same_text(declared_name(other->start, other->end), name))
            return true;
    }
    return false;
}

/* Give a declaration internal linkage, after attributes as [[nodiscard]]. */
static void insert_linkage(struct unit *u, struct token *start)
{
    struct token *t = start;
    while (is(t, "[") && is(next_code(t), "[") && t->match)
        t = next_code(t->match);
    if (t)
        insert_before(u, t, t, INTERNAL_LINKAGE);
}

static void make_internal(struct unit *u)
{
    for (int i = 0; i < u->variable_count; i++) {
        const struct variable *v = &u->variables[i];
        if (!v->explicit_linkage && !v->shared && !has_linkage(u, v))
            insert_linkage(u, v->start);
    }
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->device && !f->host && !f->global && !f->explicit_linkage
            && !f->templated && !is(f->name, "operator"))
            insert_linkage(u, f->start);
    }
}

/* Replace a specifier by the attribute of gcc and clang. */
static void replace_specifier(struct unit *u, struct token *t)
{
    struct token *open = next_code(t);
    if (is(t, "__forceinline__")) {
        insert_before(u, t, t, "inline __attribute__((always_inline)) ");
    } else if (is(t, "__noinline__")) {
        insert_before(u, t, t, "__attribute__((noinline)) ");
    } else if (is(t, "__align__") && is(open, "(") && open->match) {
        insert_before(u, t, t, "__attribute__((aligned");
        insert_after(u, open->match, open->match, "))");
    } else {
        return;
    }
    remove_token(t);
}

/* In a kernel printf() returns the number of arguments, not of bytes: replace
 * calls whose result is used. */
static void kernel_printf(struct unit *u, const struct function *f)
{
    static const char *const uses_result[] = { "=", "(",  "return", ",",  "+",
                                               "-", "*",  "+=",     "-=", "<",
                                               ">", "==", "!=",     "&&", "||",
                                               "?", "!",  NULL };
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (is(t, "printf") && is(next_code(t), "(")
            && is_any(prev_code(t), uses_result)) {
            remove_token(t);
            insert_before(u, t, t, "softgpu::kernel_printf");
        }
}

void rewrite_specifiers(struct unit *u)
{
    static const char *const words[] = { "__global__", "__device__", "__host__",
                                         "__constant__", "__managed__",
                                         "__grid_constant__", "__inline_hint__",
                                         NULL };
    static const char *const calls[] = { "__launch_bounds__", "__maxnreg__",
                                         "__block_size__", NULL };
    if (!u->dialect.rdc)
        make_internal(u);
    for (int i = 0; i < u->function_count; i++)
        if (u->functions[i].body
            && (u->functions[i].global || u->functions[i].device))
            kernel_printf(u, &u->functions[i]);
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t)) {
        if (is_any(t, words)) {
            remove_token(t);
        } else if (is_any(t, calls) && is(next_code(t), "(")
                   && next_code(t)->match) {
            struct token *close = next_code(t)->match;
            remove_range(t, close);
            remove_token(close);
            t = close;
        } else if (t->kind == T_IDENT && t->text[0] == '_') {
            replace_specifier(u, t);
        }
    }
}
