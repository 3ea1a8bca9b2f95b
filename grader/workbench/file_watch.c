/* SPDX-License-Identifier: MIT */
/* inotify on the folder, and stat() of the file. */
#include "file_watch.h"

#include <string.h>
#include <sys/inotify.h>
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
    stat(path, &watch->last);
}

static bool is_same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool file_watch_changed(struct file_watch *watch)
{
    char events[4096];
    struct stat now;
    bool changed;

    while (watch->fd >= 0 && read(watch->fd, events, sizeof events) > 0)
        ;
    if (stat(watch->path, &now))
        return false; /* between an editor's unlink() and rename() */
    changed = now.st_ino != watch->last.st_ino
              || now.st_size != watch->last.st_size
              || !is_same_time(now.st_mtim, watch->last.st_mtim);
    watch->last = now;
    return changed;
}

void file_watch_close(struct file_watch *watch)
{
    if (watch->fd >= 0)
        close(watch->fd);
    watch->fd = -1;
}
