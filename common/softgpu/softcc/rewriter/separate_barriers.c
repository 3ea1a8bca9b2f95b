/* SPDX-License-Identifier: MIT */
/* All tokens of a macro have the location of its name, and the checks tell two
 * barriers apart by their locations.  So the second barrier of a macro gets
 * the next column, and so on.  Warp functions are the same in this. */
#include <string.h>

#include "tokens.h"

/* Does a function of this name wait for other threads? */
static bool is_synchronizing(const struct token *t)
{
    static const char *const members[] = { "sync", "arrive_and_wait", NULL };
    const char *suffix = "_sync";
    const int length = (int)strlen(suffix);

    if (!is_word(t) || !is(next_code(t), "("))
        return false;
    if (is_any(t, members))
        return true;
    return (t->length > 13 && !memcmp(t->text, "__syncthreads", 13))
           || is(t, "__syncthreads") || is(t, "__syncwarp")
           || (t->length > length
               && !memcmp(t->text + t->length - length, suffix,
                          (size_t)length));
}

/* Move a call to another column of its line. */
static void set_column(struct token *t, int col)
{
    struct token *open = next_code(t);

    t->col = col;
    open->col = col + t->length;
}

void separate_barriers(struct unit *u)
{
    const struct token *last = NULL; /* call of a macro before t */

    for (struct token *t = skip_to_code(u->first); t; t = next_code(t)) {
        if (!t->system_text || !is_synchronizing(t))
            continue;
        if (last && last->file == t->file && last->line == t->line
            && last->col >= t->col)
            set_column(t, last->col + 1);
        last = t;
    }
}
