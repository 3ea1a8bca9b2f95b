/* SPDX-License-Identifier: MIT */
/* Names of the verdicts. */
#include "verdict.h"

#include <string.h>

static const char *const names[VERDICTS] = {
    "PASS",     "WRONG",   "SLOW",       "CRASHED", "TIMEOUT", "MEMORY",
    "OUTPUT",   "BUILD",   "REJECTED",   "MISSING", "UNMEASURED",
    "INTERNAL",
};

const char *verdict_name(enum verdict verdict)
{
    return names[verdict];
}

enum verdict verdict_named(const char *name)
{
    int i = 0;

    while (i < VERDICTS && strcmp(names[i], name))
        i++;
    return (enum verdict)i;
}
