/* SPDX-License-Identifier: MIT */
/* A mutant that is a diff: a patched copy of the ladder. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "common/base/patch.h"
#include "prove.h"

enum { FILE_SIZE_MAX = 1 << 20 };

/* A mutant being made. */
struct copy {
    const char *from, *to; /* folders */
    const char *diff;      /* text of the mutant */
    struct proof *proof;
};

/* Is this the file's content?  Then it keeps its modification time, and the
 * object that was made of it stays up to date. */
static bool is_content(const char *path, const char *text)
{
    size_t length;
    char *content = read_file(path, FILE_SIZE_MAX, &length);
    bool same = content && !strcmp(content, text);

    free(content);
    return same;
}

/* Copies one file, with the hunks that change it. */
static bool copy_patched(const struct copy *copy, const char *name)
{
    char path[PATH_MAX], reason[PATCH_ERROR_SIZE], *text, *patched = NULL;
    size_t length;
    bool ok = false;

    text_format(path, sizeof path, "%s/%s", copy->from, name);
    text = read_file(path, FILE_SIZE_MAX, &length);
    if (!text) {
        text_format(copy->proof->reason, PROOF_SIZE, "%.300s: %s", path,
                    strerror(errno));
        return false;
    }
    patched = patch_apply(copy->diff, name, text, reason);
    if (patched) {
        text_format(path, sizeof path, "%s/%s", copy->to, name);
        ok = is_content(path, patched)
             || write_file(path, patched, strlen(patched));
    }
    if (!patched)
        text_format(copy->proof->reason, PROOF_SIZE,
                    "%s does not apply to %s: %s",
                    base_name(copy->proof->mutant), name, reason);
    else if (!ok)
        text_format(copy->proof->reason, PROOF_SIZE, "%.300s: %s", path,
                    strerror(errno));
    free(text);
    free(patched);
    return ok;
}

static bool copy_ladder(const struct copy *copy)
{
    DIR *open = opendir(copy->from);
    struct dirent *entry;
    bool ok = open != NULL;

    if (!ok)
        text_format(copy->proof->reason, PROOF_SIZE, "%.300s: %s",
                    copy->from, strerror(errno));
    while (ok && (entry = readdir(open)))
        if (*entry->d_name != '.')
            ok = copy_patched(copy, entry->d_name);
    if (open)
        closedir(open);
    return ok;
}

/* Each file that the diff changes must be in the ladder's folder. */
static bool files_exist(const struct copy *copy)
{
    const char *rest = copy->diff;
    char name[PATCH_NAME_SIZE], path[PATH_MAX];
    struct stat status;

    while ((rest = patch_next_file(rest, name))) {
        text_format(path, sizeof path, "%s/%s", copy->from, name);
        if (stat(path, &status)) {
            text_format(copy->proof->reason, PROOF_SIZE,
                        "%s changes %s, which is not in the ladder's folder",
                        base_name(copy->proof->mutant), name);
            return false;
        }
    }
    return true;
}

/* The first file that the diff changes; for a header the reference. */
static void set_source(const struct lab *lab, const struct copy *copy)
{
    char name[PATCH_NAME_SIZE] = "";

    patch_next_file(copy->diff, name);
    if (strlen(name) < 3 || strcmp(name + strlen(name) - 3, ".cu"))
        text_format(name, sizeof name, "%s", lab->reference);
    text_format(copy->proof->source, sizeof copy->proof->source, "%s/%s",
                copy->to, name);
}

bool mutant_prepare(const struct lab *lab, const char *folder,
                    struct proof *proof)
{
    char from[PATH_MAX];
    size_t length;
    char *diff = read_file(proof->mutant, FILE_SIZE_MAX, &length);
    const struct copy copy = {root_path(from, "solutions/%s", lab->stem),
                              folder,
                              diff ? diff : "", proof};
    bool ok;

    if (!diff || !make_directories(folder)) {
        text_format(proof->reason, PROOF_SIZE, "%.300s: %s",
                    diff ? folder : proof->mutant, strerror(errno));
        free(diff);
        return false;
    }
    ok = files_exist(&copy) && copy_ladder(&copy);
    if (ok)
        set_source(lab, &copy);
    free(diff);
    return ok;
}
