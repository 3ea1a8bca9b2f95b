/* SPDX-License-Identifier: MIT */
/* warpbook cut LAB: make the handout from the reference. */
#include "../cut.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../house.h"
#include "../text.h"
#include "common.h"

char *cut_lab(const struct lab *lab, char *error)
{
    char folder[PATH_MAX], path[PATH_MAX], why[256], *text, *handout;
    size_t length;

    house_path(folder, "solutions/%s", lab->stem);
    house_path(path, "solutions/%s/%s", lab->stem, lab->handout);
    text = read_whole(path, 1 << 20, &length);
    if (!text) {
        text_put(error, LAB_ERROR, "%s: %s", path, strerror(errno));
        return NULL;
    }
    handout = cut(text, folder, why);
    if (!handout)
        text_put(error, LAB_ERROR, "%s: %s", path, why);
    free(text);
    return handout;
}

static int run(const struct options *options)
{
    static struct lab lab;
    char path[PATH_MAX], error[LAB_ERROR], *handout;
    int code = EXIT_FULL;

    if (!open_lab(options->words[0], options, &lab))
        return EXIT_USAGE;
    handout = cut_lab(&lab, error);
    if (!handout)
        return complain(EXIT_TROUBLE, "%s", error);
    if (options->output)
        text_put(path, sizeof path, "%s", options->output);
    else
        house_path(path, "labs/%s/%s.cu", lab.stem, lab.name);
    if (!strcmp(path, "-"))
        fputs(handout, stdout);
    else if (!write_whole(path, handout, strlen(handout)))
        code = complain(EXIT_TROUBLE, "cannot write %s: %s", path,
                        strerror(errno));
    free(handout);
    return code;
}

const struct verb verb_cut = {
    "cut", "LAB", "make a lab's handout from its reference",
    "Overwrites labs/LAB/NAME.cu: your own work there is lost. --output FILE "
    "(- is stdout) writes it elsewhere.",
    "o", 1, 1, run};
