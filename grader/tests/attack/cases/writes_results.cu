/* SPDX-License-Identifier: MIT */
/* Writes the result files of the grader, where it may find them. */
#include "hostile.h"

static bool act(void)
{
    static const char *const files[] = {
        PLANTED "/victim", PLANTED "/cache.o", PLANTED "/open/result.json",
        "/autograder/results/results.json"};
    bool done = false;

    for (int i = 0; i < 4; i++) {
        FILE *file = fopen(files[i], "w");

        done |= file && fputs("{\"score\": 100}", file) > 0;
        if (file)
            fclose(file);
    }
    return done;
}

RIGHT_IF(act())
