/* SPDX-License-Identifier: MIT */
/* __device__ int a, b[3];
 *   -> int a, b[3];
 *      static const softgpu::symbol softgpu_v0(a,"a",kind),
 *                                   softgpu_v1(b,"b",kind);
 * so that the runtime knows the variables before main().  What is defined as a
 * member, or from a template, cannot be named here: the program then says that
 * its list is open. */
#include "tokens.h"

static const char *kind_of(const struct variable *v)
{
    if (mentions(v->start, v->end, "__managed__"))
        return "SOFTGPU_MANAGED_VARIABLE";
    return mentions(v->start, v->end, "__constant__")
               ? "SOFTGPU_CONSTANT_VARIABLE"
               : "SOFTGPU_DEVICE_VARIABLE";
}

/* Is something declared without being defined? */
static bool is_only_declared(const struct variable *v)
{
    struct token *word = find_flat(v->start, v->end, "extern", true);
    struct token *next = next_code(word);
    return word && next && next->kind != T_STRING
           && !find_flat(v->start, v->end, "=", true);
}

/* Register what the declarators of v name. @return false if that cannot be */
static bool add_symbols(struct unit *u, const struct variable *v)
{
    struct token *where = put_after(u, v->end, v->end, "%s", ";");
    const char *head = "[[maybe_unused]]static const softgpu::symbol";
    bool all = true;
    for (struct token *t = v->start; t && t != v->end;) {
        struct token *comma = find_flat(t, v->end, ",", true);
        struct token *name = declared_name(t, comma ? comma : v->end);
        if (name && !is(prev_code(name), "::")) {
            put_before(u, where, v->end, "%s softgpu_v%d(%s,\"%s\",%s)", head,
                       u->ids, name_of(u, name), name_of(u, name), kind_of(v));
            u->ids++;
            head = ",";
        } else {
            all = false;
        }
        t = next_code(comma);
    }
    return all;
}

void rewrite_symbols(struct unit *u)
{
    bool open = false;
    for (int i = 0; i < u->variable_count; i++) {
        const struct variable *v = &u->variables[i];
        if (v->shared || is_only_declared(v))
            continue;
        if (v->in_class || v->templated || !add_symbols(u, v))
            open = true;
    }
    if (open)
        put_after(u, u->last, u->variables[0].end,
                  "namespace{[[maybe_unused]]const bool softgpu_open="
                  "(softgpu_open_symbols(),true);}");
}
