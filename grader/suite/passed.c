/* SPDX-License-Identifier: MIT */
/* The cases of a test that passed before the one that failed. */
#include <stdio.h>
#include <string.h>

#include "passed.h"

/* The text of the case `back` before the last one that passed. */
static const char *passed_text(const struct suite_state *state, unsigned back)
{
    return state->passed[(state->passed_cases - 1 - back) % PASSED_CASES];
}

void note_passed_case(struct suite_state *state)
{
    const bool is_checked = state->is_checked;

    state->is_checked = false;
    if (!*state->case_text || !is_checked
        || (state->passed_cases
            && !strcmp(passed_text(state, 0), state->case_text)))
        return;
    memcpy(state->passed[state->passed_cases++ % PASSED_CASES],
           state->case_text, sizeof state->case_text);
}

/* As many of them as there is room for, in their order. */
void name_passed_cases(const struct suite_state *state)
{
    /* the failed one may have passed with other data */
    const unsigned skipped = state->passed_cases
                             && !strcmp(passed_text(state, 0),
                                        state->case_text);
    const unsigned n = state->passed_cases - skipped;
    unsigned shown = n, length = 0;
    char *text = state->outcome->passed;

    if (shown + skipped > PASSED_CASES)
        shown = PASSED_CASES - skipped;
    while (shown > 1) {
        size_t bytes = 64;

        for (unsigned i = 0; i < shown; i++)
            bytes += strlen(passed_text(state, i + skipped)) + 2;
        if (bytes <= PASSED_SIZE)
            break;
        shown--;
    }
    if (n == 0)
        return;
    length = (unsigned)snprintf(text, PASSED_SIZE, n == 1
                                    ? "The case before it passes: "
                                    : n == shown ? "The cases before it pass: "
                                    : "The %u cases before it pass, at last: ",
                                n);
    for (unsigned i = shown; i-- > 0;)
        length += (unsigned)snprintf(text + length, PASSED_SIZE - length,
                                     "%s%s", passed_text(state, i + skipped),
                                     i ? "; " : "");
}
