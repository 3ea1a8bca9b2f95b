/* SPDX-License-Identifier: MIT */
/* The passes, in order. */
#include <stdlib.h>

#include "rewriter.h"

void analyze_unit(struct unit *u, const char *text, size_t length)
{
    tokenize_unit(u, text, length);
    locate_tokens(u);
    separate_barriers(u);
    find_scopes(u);
}

int rewrite_unit(struct unit *u)
{
    check_unsupported(u);
    rewrite_textures(u);
    check_kernel_names(u);
    check_launched_names(u);
    if (u->graded)
        check_graded(u);
    note_lockstep(u);
    find_kernel_flags(u);
    rewrite_ptx(u);
    if (u->graded)
        check_graded_assembly(u);
    if (u->error_count)
        return u->error_count;
    rewrite_polling(u);
    if (u->sees_results)
        rewrite_results(u);
    rewrite_volatile(u); /* inside what that one inserts */
    rewrite_aligned(u); /* likewise */
    if (u->calls_copies)
        check_returns(u);
    rewrite_kernels(u);
    rewrite_shared(u);
    rewrite_launches(u);
    rewrite_device_calls(u);
    rewrite_initializers(u);
    rewrite_symbols(u);
    rewrite_specifiers(u);
    rewrite_pragmas(u);
    return u->error_count;
}

void free_unit(struct unit *u)
{
    for (int i = 0; i < u->file_count; i++)
        free(u->files[i].text);
    free(u->files);
    free(u->functions);
    free(u->variables);
    free(u->initializers);
    free(u->declarations);
    free(u->messages.bytes);
    arena_free(&u->arena);
}
