/* SPDX-License-Identifier: MIT */
/* A race of two accesses between which a barrier stands in the source. */
#include "barrier_hint.h"

#include <stdio.h>
#include <string.h>

#include "loop_hint.h"
#include "source_words.h"

/* Calls that wait for all threads of the block. */
static const char *const barriers[] = {"__syncthreads", "sync",
                                       "arrive_and_wait", "barrier_sync"};

/* The barrier that stands here, or NULL. */
static const char *barrier_at(const char *text, const char *at)
{
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++)
        if (is_word(text, at, barriers[i]) && at[strlen(barriers[i])] == '(')
            return barriers[i];
    return NULL;
}

bool barrier_hint(const char *text, long first, long second, char *hint,
                  size_t bytes)
{
    const long low = first < second ? first : second;
    const long high = first < second ? second : first;
    const char *at = text, *name;

    while (*at) {
        const char *behind = skip_text(at);
        const long line = behind == at ? line_of(text, at) : 0;

        if (line >= high)
            break;
        if (line > low && (name = barrier_at(text, at)) != NULL
            && loop_holds_all(text, (const long[]){low, line, high})) {
            snprintf(hint, bytes, "The %s() of line %ld separates them within "
                     "one iteration of a loop: is a barrier missing before the "
                     "next one?", name, line);
            return true;
        }
        at = behind == at ? at + 1 : behind;
    }
    return false;
}
