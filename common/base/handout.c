/* SPDX-License-Identifier: MIT */
/* Comparing a file with the handout, which is made anew each time: no copy of
 * it can be older than the reference. */
#include "handout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "handout_extract.h"
#include "files.h"
#include "paths.h"
#include "text.h"

bool handout_is_unmodified(const char *path, const char *folder,
                           const char *file)
{
    char patch[PATH_MAX], error[HANDOUT_ERROR_SIZE], *own, *handout;
    size_t length;
    bool same;

    root_path(patch, "grader/mutants/%s/handout.diff", base_name(folder));
    own = read_file(path, 1 << 20, &length);
    handout = extract_handout(folder, file, patch, error);
    same = own && handout && !strcmp(own, handout);
    free(own);
    free(handout);
    return same;
}
