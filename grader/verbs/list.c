/* SPDX-License-Identifier: MIT */
/* warpbook list: list the labs. */
#include <stdio.h>

#include "common.h"

static int run(const struct options *options)
{
    static struct lab lab;

    for (size_t i = 0; suites[i]; i++) {
        if (!load_lab(suites[i]->stem, options, &lab))
            return EXIT_GRADER_ERROR;
        printf("%02d  %-14s %-40s %zu tests, %zu steps\n", lab.number,
               lab.name, lab.title, lab.tests, lab.steps);
    }
    return EXIT_FULL;
}

const struct verb verb_list = {
    "list", "", "list the labs", "", "", 0, 0, run};
