/* SPDX-License-Identifier: MIT */
/* See run_folder.h. */
#include "run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <dirent.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/files.h"
#include "page.h"

bool run_folder_same(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0
           && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

bool run_folder_check(const struct train_options *options,
                      struct failure *failure)
{
    const char *out = options->out;
    char path[PAGE_PATH];

    snprintf(path, sizeof path, "%s/checkpoint.safetensors", out);
    if (options->force || access(path, F_OK) != 0
        || (*options->resume && run_folder_same(out, options->resume)))
        return true;
    return fail(failure, "%s: has a run already: --resume %s goes on with it, "
                "--out names another folder, --force writes over it", out, out);
}

bool new_file_check(const struct train_options *options, const char *path,
                    struct failure *failure)
{
    return options->force || access(path, F_OK) != 0
           || fail(failure, "%s: exists; --force writes over it", path);
}

/* Remove the files of a folder whose names match one of the patterns. */
static void remove_files(const char *folder, const char *const *patterns)
{
    DIR *all = opendir(folder);
    const struct dirent *entry;

    while (all && (entry = readdir(all)))
        for (const char *const *p = patterns; *p; p++)
            if (fnmatch(*p, entry->d_name, 0) == 0)
                unlinkat(dirfd(all), entry->d_name, 0);
    if (all)
        closedir(all);
}

/* Remove half-written checkpoints of killed runs, and with --force the results
 * of an earlier run. */
static void remove_results(const struct train_options *options)
{
    static const char *const half[] = {"*.safetensors.*.part", NULL};
    static const char *const results[] = {
        "checkpoint.safetensors", "best.safetensors", "metrics.csv",
        "steps.csv", "curves.svg", "confusion.svg", "filters.png",
        "classes.csv", "report.html", "events.out.tfevents.*.warpbook", NULL};

    remove_files(options->out, half);
    if (options->force)
        remove_files(options->out, results);
}

bool run_folder_open(const struct train_options *options, int *lock,
                     struct failure *failure)
{
    const char *out = options->out;
    char path[PAGE_PATH];

    *lock = -1;
    if (!make_directories(out))
        return fail(failure, "%s: %s", out, strerror(errno));
    if (snprintf(path, sizeof path, "%s/.lock", out) >= (int)sizeof path)
        return fail(failure, "%.100s...: the name is too long", out);
    *lock = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (*lock < 0)
        return fail(failure, "%s: %s", path, strerror(errno));
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0)
        return fail(failure, errno == EWOULDBLOCK
                                 ? "%s: another run is writing to this folder"
                                 : "%s: cannot be locked", out);
    if (!run_folder_check(options, failure))
        return false;
    remove_results(options);
    return true;
}
