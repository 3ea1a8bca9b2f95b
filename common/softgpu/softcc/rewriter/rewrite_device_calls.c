/* SPDX-License-Identifier: MIT */
/* In device code cudaMalloc() and cudaFree() are malloc() and free(), as CUDA
 * documents them; the checks see these in the program's own code only:
 *
 *     cudaMalloc(&p, n)  ->  softgpu::device_malloc(&p, n) */
#include "tokens.h"

static bool is_declared(const struct unit *u, const struct token *name)
{
    for (int i = 0; i < u->function_count; i++)
        if (same_text(u->functions[i].name, name))
            return true;
    return false;
}

static void rewrite_call(struct unit *u, struct token *t)
{
    const char *name = is(t, "cudaMalloc") ? "softgpu::device_malloc"
                       : is(t, "cudaFree") ? "softgpu::device_free" : NULL;
    if (!name || !is(next_code(t), "(") || in_cccl(u, t) || is_declared(u, t))
        return;
    struct token *global = prev_code(t); /* of `::cudaMalloc` */
    if (is(global, ".") || is(global, "->"))
        return;
    insert_before(u, t, t, "%s", name);
    remove_token(t);
}

void rewrite_device_calls(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->host || !f->body || (!f->global && !f->device))
            continue;
        for (struct token *t = f->body; t && t != f->end;) {
            struct token *next = next_code(t);
            rewrite_call(u, t);
            t = next;
        }
    }
}
