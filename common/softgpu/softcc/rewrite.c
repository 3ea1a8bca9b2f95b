/* SPDX-License-Identifier: MIT */
/* The passes, in order. */
#include <stdlib.h>

#include "softcc.h"

void analyse(struct unit *u, const char *text, size_t length)
{
    read_unit(u, text, length);
    place_tokens(u);
    find_scopes(u);
}

int rewrite(struct unit *u)
{
    refuse(u);
    if (u->refused)
        return u->refused;
    find_flags(u);
    rewrite_volatile(u);
    rewrite_kernels(u);
    rewrite_shared(u);
    rewrite_launches(u);
    rewrite_symbols(u);
    rewrite_words(u);
    rewrite_pragmas(u);
    return u->refused;
}

void free_unit(struct unit *u)
{
    for (int i = 0; i < u->file_count; i++)
        free(u->files[i].text);
    free(u->files);
    free(u->functions);
    free(u->variables);
    free(u->messages.bytes);
    arena_free(&u->arena);
}
