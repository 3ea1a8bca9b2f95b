/* SPDX-License-Identifier: MIT */
/** @file
 *  Noticing that a file was saved.
 *
 *  inotify wakes at once; where it does not work (network file systems, shared
 *  folders of virtual machines, too many watches) the caller's own timeout
 *  does: file_watch_changed() always compares size, inode and time of the
 *  file itself.
 */
#ifndef GRADER_WORKBENCH_FILE_WATCH_H
#define GRADER_WORKBENCH_FILE_WATCH_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/** A watched file. */
struct file_watch {
    char path[PATH_MAX]; /**< of the file, which may come and go */
    int fd;              /**< readable when its folder changed; -1: poll */
    struct stat last;    /**< the file when it was last looked at */
    double missing_since; /**< seconds of the clock when it was first not
                               there; 0: it is there; infinite:
                               that was told */
};

/** Begin to watch. */
void file_watch_open(struct file_watch *watch, const char *path);
/** Look at the file, and forget what woke us.  Editors write a new file and
 *  rename it, or write in place: either is a change.
 *  @return true when it is there and differs from the last time */
bool file_watch_changed(struct file_watch *watch);
/** Was the file last seen a second ago?  Editors that write a new one take
 *  less.
 *  @return true once, until it is there again */
bool file_watch_lost(struct file_watch *watch);
/** End it. */
void file_watch_close(struct file_watch *watch);

#endif
