/* SPDX-License-Identifier: MIT */
/* warpbook cut LAB: make the handout from the reference and its patch. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "common.h"

/* The handout is the reference with handout.diff applied. */
static int run(const struct options *options)
{
    static struct lab lab;
    char path[PATH_MAX], error[LAB_ERROR_SIZE], *handout;
    int code = EXIT_FULL;

    if (!load_lab(options->words[0], options, &lab))
        return EXIT_USAGE;
    handout = lab_extract_handout(&lab, error);
    if (!handout)
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    if (options->output)
        text_format(path, sizeof path, "%s", options->output);
    else
        root_path(path, "labs/%s/%s.cu", lab.stem, lab.name);
    if (!strcmp(path, "-"))
        fputs(handout, stdout);
    else if (!write_file(path, handout, strlen(handout)))
        code = report_error(EXIT_GRADER_ERROR, "cannot write %s: %s", path,
                            strerror(errno));
    free(handout);
    return code;
}

const struct verb verb_cut = {
    "cut", "LAB", "make a lab's handout from its reference",
    "Overwrites labs/LAB/NAME.cu: your own work there is lost. --output FILE "
    "(- is stdout) writes it elsewhere.",
    "o", 1, 1, run};
