/* SPDX-License-Identifier: MIT */
/* A submission includes no file of the solutions, and none of the grader's.
 * The compiler tells which files it has read (-MMD), by whatever means the
 * submission named them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "common/base/file_time.h"
#include "common/base/paths.h"
#include "common/base/text.h"

/* Folders whose files only their own files may include. */
static const char *const closed[] = {"solutions", "grader"};

struct search {
    char source[PATH_MAX]; /* the submission, resolved */
    const char *folder;    /* of `closed`; out */
    char file[PATH_MAX];   /* in it; out */
};

static bool is_below(const char *path, const char *folder)
{
    char closed_folder[PATH_MAX], resolved[PATH_MAX];
    size_t length;

    if (!realpath(root_path(closed_folder, "%s", folder), resolved))
        return false;
    length = strlen(resolved);
    return !strncmp(path, resolved, length) && path[length] == '/';
}

static bool is_closed(const char *name, void *context)
{
    struct search *search = context;

    if (!realpath(name, search->file) || !strcmp(search->file, search->source))
        return false;
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        search->folder = closed[i];
        if (is_below(search->file, closed[i])
            && !is_below(search->source, closed[i]))
            return true;
    }
    return false;
}

bool check_includes(const char *source, const char *depfile,
                    struct build_result *result)
{
    struct search *search = malloc(sizeof *search);
    bool found;

    if (!search || !realpath(source, search->source)) {
        free(search);
        return true;
    }
    found = depfile_find(depfile, is_closed, search);
    if (found) {
        result->verdict = REJECTED;
        text_format(result->message, MESSAGE_SIZE,
                    "the file includes %.200s from %s/: submit your own work",
                    base_name(search->file), search->folder);
    }
    free(search);
    return !found;
}
