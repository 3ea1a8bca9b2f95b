/* SPDX-License-Identifier: MIT */
/* Texture references, which nvcc accepted until CUDA 11: `texture<float, 2> t;`
 * becomes `softgpu::texture_reference<float, 2> t;`.  CUDA's name is no name of
 * a header here: programs have variables and classes of that name. */
#include "tokens.h"

/* Does the program have a class template of this name? */
static bool has_class(struct unit *u)
{
    static const char *const heads[] = { "struct", "class", "using", NULL };
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t))
        if (is(t, "texture") && is_any(prev_code(t), heads))
            return true;
    return false;
}

void rewrite_textures(struct unit *u)
{
    int has_own = -1;
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t)) {
        if (!is(t, "texture") || !is_reference_type(t) || in_cccl(u, t)
            || is_declared_by_program(u, t))
            continue;
        if (has_own < 0)
            has_own = has_class(u);
        if (has_own)
            return;
        if (u->graded) {
            report_error(u, t, "texture: a graded file has no texture "
                               "references; pass the kernel a pointer");
            continue;
        }
        insert_before(u, t, t, "softgpu::texture_reference");
        remove_token(t);
    }
}
