/* SPDX-License-Identifier: MIT */
/* Temporary folders: made in the build folder, gone at exit. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "house.h"
#include "text.h"

enum { MOST = 64 };
static char made[MOST][PATH_MAX];
static bool registered; /* to be removed at exit */
static int count;
static bool kept;

static int remove_entry(const char *path, const struct stat *about, int kind,
                        struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    remove(path);
    return 0; /* go on: what cannot be removed stays */
}

void remove_temporary(void)
{
    while (count > 0) {
        count--;
        if (kept)
            fprintf(stderr, "kept: %s\n", made[count]);
        else
            nftw(made[count], remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
}

void forget_temporary(void)
{
    count = 0;
}

void keep_temporary(void)
{
    kept = true;
}

bool make_temporary(char *path)
{
    const char *other = getenv("TMPDIR");
    char parent[PATH_MAX];

    if (count == MOST) {
        errno = EMFILE;
        return false;
    }
    if (!registered)
        registered = atexit(remove_temporary) == 0;
    text_put(parent, sizeof parent, "%s/tmp", house_build());
    if (!make_folders(parent) || access(parent, W_OK))
        text_put(parent, sizeof parent, "%s", other ? other : "/tmp");
    text_put(path, PATH_MAX, "%s/run.XXXXXX", parent);
    /* A runner may open what it knows the name of, its own image, to say at
     * which line it crashed; it may not list the folder. */
    if (!mkdtemp(path) || chmod(path, 0711))
        return false;
    text_put(made[count++], PATH_MAX, "%s", path);
    return true;
}
