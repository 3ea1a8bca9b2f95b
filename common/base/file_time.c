/* SPDX-License-Identifier: MIT */
/* Modification times of files. */
#include "file_time.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"

double file_mtime(const char *path)
{
    struct stat about;

    if (stat(path, &about))
        return 0;
    return (double)about.st_mtim.tv_sec + 1e-9 * (double)about.st_mtim.tv_nsec;
}

/* An ending is compared byte by byte; a name may be the ending alone. */
static bool ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name), end = strlen(ending);

    return length >= end && !strcmp(name + length - end, ending);
}

double newest_mtime(const char *folder, const char *ending)
{
    DIR *open = opendir(folder);
    struct dirent *entry;
    double newest = 0;

    while (open && (entry = readdir(open))) {
        char path[PATH_MAX];

        if (*entry->d_name == '.' || !ends_with(entry->d_name, ending))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        newest = fmax(newest, file_mtime(path));
    }
    if (open)
        closedir(open);
    return newest;
}

/* Copies the next name of a dependency file.  Blanks and escaped line ends
 * separate names; "\ " is a blank within one.
 *  @return where it ended, or NULL when there is none */
static const char *next_name(const char *at, char name[PATH_MAX])
{
    size_t used = 0;

    while (*at && (strchr(" \t\n", *at) || !strncmp(at, "\\\n", 2)))
        at++;
    for (; *at && !strchr(" \t\n", *at) && used < PATH_MAX - 1; at++) {
        at += at[0] == '\\' && at[1] == ' ';
        name[used++] = *at;
    }
    name[used] = 0;
    return used ? at : NULL;
}

bool depfile_find(const char *path, bool (*visit)(const char *, void *),
                  void *context)
{
    char name[PATH_MAX];
    size_t length;
    char *text = read_file(path, 1 << 20, &length);
    const char *at = text;
    bool found = false;

    while (!found && at && (at = next_name(at, name)))
        found = !ends_with(name, ":") && visit(name, context);
    free(text);
    return found;
}

double depfile_mtime(const char *path)
{
    char name[PATH_MAX];
    size_t length;
    char *text = read_file(path, 1 << 20, &length);
    const char *at = text;
    double newest = text ? 0 : HUGE_VAL;

    while (at && (at = next_name(at, name))) {
        double time = file_mtime(name);

        if (!ends_with(name, ":"))
            newest = fmax(newest, time > 0 ? time : HUGE_VAL);
    }
    free(text);
    return newest;
}
