/* SPDX-License-Identifier: MIT */
/* CUDA's declaration words go.  What nvcc keeps private to a file without -rdc
 * (device functions, device and constant variables) becomes static, so that
 * several files may use one name. */
#include "tokens.h"

#define PRIVATE "static __attribute__((unused)) "

static void make_private(struct unit *u)
{
    for (int i = 0; i < u->variable_count; i++) {
        const struct variable *v = &u->variables[i];
        if (!v->fixed_linkage && !v->shared)
            put_before(u, v->start, v->start, PRIVATE);
    }
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->device && !f->host && !f->global && !f->fixed_linkage
            && !f->templated && !is(f->name, "operator"))
            put_before(u, f->start, f->start, PRIVATE);
    }
}

void rewrite_words(struct unit *u)
{
    static const char *const words[] = { "__global__", "__device__", "__host__",
                                         "__constant__", "__managed__",
                                         "__grid_constant__", NULL };
    static const char *const calls[] = { "__launch_bounds__", "__maxnreg__",
                                         "__block_size__", NULL };
    if (!u->dialect.rdc)
        make_private(u);
    for (struct token *t = this_code(u->first); t; t = next_code(t)) {
        if (is_any(t, words)) {
            drop(t);
        } else if (is_any(t, calls) && is(next_code(t), "(")
                   && next_code(t)->match) {
            struct token *close = next_code(t)->match;
            drop_range(t, close);
            drop(close);
            t = close;
        }
    }
}
