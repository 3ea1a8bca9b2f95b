/* SPDX-License-Identifier: MIT */
/* CUDA's declaration words go.  What nvcc keeps private to a file without -rdc
 * (device functions, device and constant variables) becomes static, so that
 * several files may use one name. */
#include "tokens.h"

#define PRIVATE "static __attribute__((unused)) "

/* Is the variable declared elsewhere too, as `extern`, or in the class or the
 * namespace before its name?  Then it is what that is. */
static bool has_linkage(const struct unit *u, const struct variable *v)
{
    struct token *name = declared_name(v->start, v->end);
    if (name && is(prev_code(name), "::"))
        return true;
    for (int i = 0; i < u->variable_count; i++) {
        const struct variable *other = &u->variables[i];
        if (find_flat(other->start, other->end, "extern", true)
            && same(declared_name(other->start, other->end), name))
            return true;
    }
    return false;
}

static void make_private(struct unit *u)
{
    for (int i = 0; i < u->variable_count; i++) {
        const struct variable *v = &u->variables[i];
        if (!v->fixed_linkage && !v->shared && !has_linkage(u, v))
            put_before(u, v->start, v->start, PRIVATE);
    }
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->device && !f->host && !f->global && !f->fixed_linkage
            && !f->templated && !is(f->name, "operator"))
            put_before(u, f->start, f->start, PRIVATE);
    }
}

/* Words that headers may leave to softcc, as gcc and clang say them. */
static void translate(struct unit *u, struct token *t)
{
    struct token *open = next_code(t);
    if (is(t, "__forceinline__")) {
        put_before(u, t, t, "inline __attribute__((always_inline)) ");
    } else if (is(t, "__noinline__")) {
        put_before(u, t, t, "__attribute__((noinline)) ");
    } else if (is(t, "__align__") && is(open, "(") && open->match) {
        put_before(u, t, t, "__attribute__((aligned");
        put_after(u, open->match, open->match, "))");
    } else {
        return;
    }
    drop(t);
}

/* A kernel's printf() returns how many arguments it took, not bytes: where
 * somebody asks. */
static void count_printed(struct unit *u, const struct function *f)
{
    static const char *const asks[] = { "=", "(", "return", ",", "+", "-",
                                        "*", "+=", "-=", "<", ">", "==", "!=",
                                        "&&", "||", "?", "!", NULL };
    for (struct token *t = f->body; t && t != f->end; t = next_code(t))
        if (is(t, "printf") && is(next_code(t), "(")
            && is_any(prev_code(t), asks)) {
            drop(t);
            put_before(u, t, t, "softgpu::count_printed");
        }
}

void rewrite_words(struct unit *u)
{
    static const char *const words[] = { "__global__", "__device__", "__host__",
                                         "__constant__", "__managed__",
                                         "__grid_constant__", "__inline_hint__",
                                         NULL };
    static const char *const calls[] = { "__launch_bounds__", "__maxnreg__",
                                         "__block_size__", NULL };
    if (!u->dialect.rdc)
        make_private(u);
    for (int i = 0; i < u->function_count; i++)
        if (u->functions[i].body
            && (u->functions[i].global || u->functions[i].device))
            count_printed(u, &u->functions[i]);
    for (struct token *t = this_code(u->first); t; t = next_code(t)) {
        if (is_any(t, words)) {
            drop(t);
        } else if (is_any(t, calls) && is(next_code(t), "(")
                   && next_code(t)->match) {
            struct token *close = next_code(t)->match;
            drop_range(t, close);
            drop(close);
            t = close;
        } else if (t->kind == T_IDENT && t->text[0] == '_') {
            translate(u, t);
        }
    }
}
