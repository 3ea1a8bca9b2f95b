/* SPDX-License-Identifier: MIT */
/* inotify on the folder, and stat() of the file. */
#include "file_watch.h"

#include <math.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "common/base/text.h"

void file_watch_open(struct file_watch *watch, const char *path)
{
    char folder[PATH_MAX], *slash;

    *watch = (struct file_watch){.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    text_format(watch->path, sizeof watch->path, "%s", path);
    text_format(folder, sizeof folder, "%s", path);
    slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    if (watch->fd >= 0
        && inotify_add_watch(watch->fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO)
               < 0)
        file_watch_close(watch);
    if (stat(path, &watch->last))
        watch->missing_since = INFINITY; /* the first grade says so */
}

static bool is_same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static double clock_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool file_watch_changed(struct file_watch *watch)
{
    char events[4096];
    struct stat now;
    bool changed;

    while (watch->fd >= 0 && read(watch->fd, events, sizeof events) > 0)
        ;
    if (stat(watch->path, &now)) {
        if (watch->missing_since == 0)
            watch->missing_since = clock_seconds();
        return false; /* perhaps between an editor's unlink() and rename() */
    }
    watch->missing_since = 0;
    changed = now.st_ino != watch->last.st_ino
              || now.st_size != watch->last.st_size
              || !is_same_time(now.st_mtim, watch->last.st_mtim);
    watch->last = now;
    return changed;
}

bool file_watch_lost(struct file_watch *watch)
{
    if (watch->missing_since == 0
        || clock_seconds() < watch->missing_since + 1)
        return false;
    watch->missing_since = INFINITY; /* told */
    return true;
}

void file_watch_close(struct file_watch *watch)
{
    if (watch->fd >= 0)
        close(watch->fd);
    watch->fd = -1;
}
