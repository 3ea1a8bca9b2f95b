/* SPDX-License-Identifier: MIT */
/* The directory of a process for temporary files, and its lock. */
#include "temp_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "paths.h"
#include "remove_tree.h"
#include "text.h"

static const char prefix[] = "warpbook.";      /* locked while in use */
static const char persistent_prefix[] = "kept-warpbook."; /* never removed */

static char process_dir[PATH_MAX]; /* "": not made yet */
static int lock_fd = -1;
static bool is_persistent;
static bool at_exit_registered;
static unsigned file_count; /* named by temp_file_path */

/* A lock is shared with a parent that forked: only closed, never released. */
void temp_dirs_forget(void)
{
    if (lock_fd >= 0)
        close(lock_fd);
    lock_fd = -1;
    *process_dir = 0;
}

void temp_dirs_make_persistent(void)
{
    is_persistent = true;
}

/* --- the directory of the process ---------------------------------------- */

/* Lock a directory that is ours. @return a descriptor, or -1 */
static int lock_directory(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat about, named;

    if (fd >= 0
        && (fstat(fd, &about) || about.st_uid != geteuid()
            || flock(fd, LOCK_EX | LOCK_NB)
            || stat(path, &named) /* removed before it was locked */
            || named.st_ino != about.st_ino)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Remove the directories of processes that were killed. */
static void remove_stale(const char *parent)
{
    DIR *directory = opendir(parent);
    struct dirent *entry;
    char path[PATH_MAX];
    int fd;

    while (directory && (entry = readdir(directory))) {
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0)
            continue;
        text_format(path, sizeof path, "%s/%s", parent, entry->d_name);
        fd = lock_directory(path);
        if (fd < 0)
            continue;
        remove_tree(path);
        close(fd);
    }
    if (directory)
        closedir(directory);
}

/* Also what our children left that were killed: softcc, when a build is
 * canceled. */
void temp_dirs_remove(void)
{
    char parent[PATH_MAX];

    if (*process_dir && is_persistent) {
        fprintf(stderr, "kept: %s\n", process_dir);
    } else if (*process_dir) {
        text_format(parent, sizeof parent, "%s", process_dir);
        *strrchr(parent, '/') = 0;
        remove_tree(process_dir);
        remove_stale(parent);
    }
    temp_dirs_forget();
}

/* In the build folder, where the next start collects what a killed process
 * left; elsewhere only if the build folder cannot be written. */
static void find_parent(char *parent)
{
    const char *other = getenv("TMPDIR");

    text_format(parent, PATH_MAX, "%s/tmp", build_root());
    if (!make_directories(parent) || access(parent, W_OK))
        text_format(parent, PATH_MAX, "%s",
                    other && *other ? other : "/tmp");
}

/* Between mkdtemp and the lock another process may take the directory for a
 * stale one: then the next name is tried. */
static bool make_locked(const char *parent)
{
    for (int i = 0; i < 100; i++) {
        text_format(process_dir, PATH_MAX, "%s/%sXXXXXX", parent,
                    is_persistent ? persistent_prefix : prefix);
        if (!mkdtemp(process_dir))
            break;
        lock_fd = lock_directory(process_dir);
        if (lock_fd >= 0 && chmod(process_dir, 0711) == 0)
            return true;
        temp_dirs_forget();
        errno = EAGAIN;
    }
    *process_dir = 0;
    return false;
}

const char *temp_process_dir(void)
{
    char parent[PATH_MAX];

    if (*process_dir)
        return process_dir;
    if (!at_exit_registered)
        at_exit_registered = atexit(temp_dirs_remove) == 0;
    find_parent(parent);
    remove_stale(parent);
    return make_locked(parent) ? process_dir : NULL;
}

bool temp_dir_create(char *path)
{
    if (!temp_process_dir())
        return false;
    text_format(path, PATH_MAX, "%s/run.XXXXXX", process_dir);
    /* A runner may open what it knows the name of, its own image, to say at
     * which line it crashed; it may not list the directory. */
    return mkdtemp(path) && chmod(path, 0711) == 0;
}

bool temp_file_path(char *path, const char *name)
{
    if (!temp_process_dir())
        return false;
    text_format(path, PATH_MAX, "%s/%u-%s", process_dir, file_count++, name);
    return true;
}
