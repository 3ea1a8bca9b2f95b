/* SPDX-License-Identifier: MIT */
/* __device__ int a, b[3];
 *   -> int a, b[3];
 *      static const softgpu::symbol softgpu_v0(a,"a",kind),
 *                                   softgpu_v1(b,"b",kind);
 * so that the runtime knows the variables before main().  Static members and
 * variable templates cannot be named here: then the program declares its list
 * of symbols incomplete. */
#include "tokens.h"

static const char *symbol_kind(const struct variable *v)
{
    if (contains(v->start, v->end, "__managed__"))
        return "SOFTGPU_MANAGED_VARIABLE";
    return contains(v->start, v->end, "__constant__")
               ? "SOFTGPU_CONSTANT_VARIABLE"
               : "SOFTGPU_DEVICE_VARIABLE";
}

bool is_only_declared(const struct variable *v)
{
    struct token *word = find_at_top_level(v->start, v->end, "extern", true);
    struct token *next = next_code(word);
    return word && next && next->kind != T_STRING
           && !find_at_top_level(v->start, v->end, "=", true);
}

/* Register the variables that the declarators of v name.
 * @return false if one cannot be named */
static bool register_declarators(struct unit *u, const struct variable *v)
{
    struct token *where = insert_after(u, v->end, v->end, "%s", ";");
    const char *head = "[[maybe_unused]]static const softgpu::symbol";
    const char *place = may_construct_nothing(u, v)
        ? ",__builtin_FILE(),__builtin_LINE()" : "";
    bool all = true;
    for (struct token *t = v->start; t && t != v->end;) {
        struct token *comma = find_at_top_level(t, v->end, ",", true);
        struct token *name = declared_name(t, comma ? comma : v->end);
        if (name && !is(prev_code(name), "::")) {
            insert_before(u, where, v->end, "%s softgpu_v%d(%s,\"%s\",%s%s)",
                          head, u->next_id, name_of(u, name), name_of(u, name),
                          symbol_kind(v), place);
            u->next_id++;
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
    bool incomplete = false;
    for (int i = 0; i < u->variable_count; i++) {
        const struct variable *v = &u->variables[i];
        if (v->shared || is_only_declared(v) || in_cccl(u, v->start))
            continue; /* libcu++ has constants only */
        if (v->in_class || v->templated || !register_declarators(u, v))
            incomplete = true;
    }
    if (incomplete)
        insert_after(u, u->last, u->variables[0].end,
                  "namespace{[[maybe_unused]]const bool softgpu_open="
                  "(softgpu_symbols_incomplete(),true);}");
}
