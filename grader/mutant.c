/* SPDX-License-Identifier: MIT */
/* A mutant that is a diff: a copy of the ladder, patched. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "house.h"
#include "prove.h"
#include "text.h"

static bool copy_file(const char *from, const char *to)
{
    size_t length;
    char *text = read_whole(from, 1 << 20, &length);
    bool ok = text && write_whole(to, text, length);

    free(text);
    return ok;
}

static bool copy_ladder(const struct lab *lab, const char *folder)
{
    char path[PATH_MAX], from[PATH_MAX], to[PATH_MAX];
    DIR *open = opendir(house_path(path, "solutions/%s", lab->stem));
    struct dirent *entry;
    bool ok = open != NULL;

    while (ok && (entry = readdir(open))) {
        if (*entry->d_name == '.')
            continue;
        text_put(from, sizeof from, "%s/%s", path, entry->d_name);
        text_put(to, sizeof to, "%s/%s", folder, entry->d_name);
        ok = copy_file(from, to);
    }
    if (open)
        closedir(open);
    return ok;
}

static bool apply(const char *folder, struct proof *proof)
{
    struct command command = {0};
    char *log = NULL;
    bool ok;

    command_add(&command, "patch");
    command_add(&command, "-s");
    command_add(&command, "-p1");
    command_add(&command, "--fuzz=0");
    command_add(&command, "--no-backup-if-mismatch");
    command_add(&command, "-i");
    command_add(&command, proof->mutant);
    ok = command_run(&command, folder, &log);
    if (!ok)
        text_put(proof->why, PROOF_TEXT, "%s does not apply: %.300s",
                 base_name(proof->mutant), log ? log : "patch failed");
    free(log);
    return ok;
}

/* The first file that the diff changes; for a header the reference. */
static void find_graded(const struct lab *lab, const char *folder,
                        struct proof *proof)
{
    size_t length;
    char name[128] = "", *diff = read_whole(proof->mutant, 1 << 20, &length);
    const char *line = diff ? strstr(diff, "\n+++ b/") : NULL;

    if (line)
        text_put(name, sizeof name, "%.*s", (int)strcspn(line + 7, " \t\n"),
                 line + 7);
    free(diff);
    if (strlen(name) < 3 || strcmp(name + strlen(name) - 3, ".cu"))
        text_put(name, sizeof name, "%s", lab->reference);
    text_put(proof->source, sizeof proof->source, "%s/%s", folder, name);
}

bool mutant_make(const struct lab *lab, const char *folder,
                 struct proof *proof)
{
    char copy[PATH_MAX];

    text_put(copy, sizeof copy, "%s/%s", folder, proof->name);
    if (mkdir(copy, 0755) || !copy_ladder(lab, copy)) {
        text_put(proof->why, PROOF_TEXT, "cannot copy the ladder to %.300s: %s",
                 copy, strerror(errno));
        return false;
    }
    if (!apply(copy, proof))
        return false;
    find_graded(lab, copy, proof);
    return true;
}
