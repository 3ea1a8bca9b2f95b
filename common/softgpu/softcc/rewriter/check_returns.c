/* SPDX-License-Identifier: MIT */
/* Instrumented by gcc with copies of structs as calls (no-elide-constructors),
 * `return x;` copies a local variable, where a compiler makes no copy
 * otherwise.  A class that has a destructor and no copy constructor, as of a
 * buffer, only works without that copy: `return x;` becomes
 * `{softgpu::may_copy<decltype(x)>();return x;}`, which refuses it. */
#include <string.h>

#include "tokens.h"

/* Is the token in a file of the compiler's or the software GPU's? */
static bool is_in_library(const struct unit *u, const struct token *t)
{
    const char *file = u->files[t->file].name;

    return !strncmp(file, "/usr/", 5) || strstr(file, "softgpu/include/");
}

void check_returns(struct unit *u)
{
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t)) {
        struct token *name = is(t, "return") ? next_code(t) : NULL;
        struct token *end = is_word(name) ? next_code(name) : NULL;

        if (!is(end, ";") || is_in_library(u, t))
            continue;
        insert_before(u, t, t, "{softgpu::may_copy<decltype(%s)>();",
                      name_of(u, name));
        insert_after(u, end, end, "}");
    }
}
