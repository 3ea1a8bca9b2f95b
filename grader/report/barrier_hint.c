/* SPDX-License-Identifier: MIT */
/* A race of two accesses between which a barrier stands in the source. */
#include "barrier_hint.h"

#include <stdio.h>
#include <string.h>

#include "loop_hint.h"
#include "source_calls.h"
#include "source_words.h"

/* Calls that wait for all threads of the block, and for those of a warp. */
static const char *const barriers[2][5] = {
    {"__syncthreads", "sync", "arrive_and_wait", "barrier_sync", NULL},
    {"__syncwarp", "sync", NULL}};

/* The barrier that stands here, or NULL. */
static const char *barrier_at(const char *text, const char *at, bool is_warp)
{
    for (const char *const *name = barriers[is_warp]; *name; name++)
        if (is_word(text, at, *name) && at[strlen(*name)] == '(')
            return *name;
    return NULL;
}

bool barrier_hint(const char *text, bool is_warp, long first, long second,
                  char *hint, size_t bytes)
{
    long lines[2] = {first, second};
    long low, high;
    const char *at = text, *name;

    lines_of_calls(text, lines);
    low = lines[0] < lines[1] ? lines[0] : lines[1];
    high = lines[0] < lines[1] ? lines[1] : lines[0];

    while (*at) {
        const char *behind = skip_text(at);
        const long line = behind == at ? line_of(text, at) : 0;

        if (line >= high)
            break;
        if (line > low && (name = barrier_at(text, at, is_warp))
            && loop_holds_all(text, (const long[]){low, line, high})) {
            snprintf(hint, bytes, "The %s() of line %ld separates them within "
                     "one iteration of a loop: is %s missing before the next "
                     "one?", name, line, is_warp ? "another" : "a barrier");
            return true;
        }
        at = behind == at ? at + 1 : behind;
    }
    return false;
}
