/* SPDX-License-Identifier: MIT */
/* warpbook problem [LAB]: a small case of the lab, drawn. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common.h"
#include "status.h"

enum { MAX_DRAWING = 1 << 16 };

static int run(const struct options *options)
{
    static struct lab lab;
    char path[PATH_MAX], *text;
    size_t length;

    if (!load_lab(options->words[0], options, &lab))
        return EXIT_USAGE;
    text = read_file(labs_path(path, "labs/%s/problem.txt", lab.stem),
                     MAX_DRAWING, &length);
    if (text)
        printf("Lab %02d: %s\n\n%s", lab.number, lab.title, text);
    else if (errno == ENOENT)
        printf("Labs 01 to 07 and 10 have such a drawing. The figure of lab "
               "%02d is in its chapter;\nlabs/%s/README.md explains it.\n",
               lab.number, lab.stem);
    else
        return report_error(EXIT_GRADER_ERROR, "cannot read %s: %s", path,
                            strerror(errno));
    free(text);
    return EXIT_FULL;
}

const struct verb verb_problem = {
    "problem", "[LAB]", "draw a small case: input, output, threads",
    "Without LAB, of the lab that comes next. What comes in, what must go out, "
    "and which thread stores what, in numbers that you can check by hand.",
    "", 0, 1, run};
