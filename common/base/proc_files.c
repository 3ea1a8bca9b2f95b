/* SPDX-License-Identifier: MIT */
/* Open files of /proc, by their paths.
 *
 * A process id can be used again by another process.  The kernel gives each
 * process and thread inodes of its own: an open file is that of the path as
 * long as both have the same inode. */
#include "proc_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

enum {
    KEPT = 128, /* open files */
    WAYS = 8    /* places for a path; when all are taken, one is replaced */
};

static struct cached_file {
    char path[56];
    ino_t inode;
    int fd; /* with an empty path: none */
} cache[KEPT];

/* The entry of a path, or one that it may have. */
static struct cached_file *entry_of(const char *path)
{
    struct cached_file *set, *free_entry = NULL;
    unsigned hash = 5381;

    for (const char *at = path; *at; at++)
        hash = 33 * hash + (unsigned char)*at;
    set = &cache[hash % (KEPT / WAYS) * WAYS];
    for (int i = 0; i < WAYS; i++) {
        if (!strcmp(set[i].path, path))
            return &set[i];
        if (!*set[i].path)
            free_entry = &set[i];
    }
    return free_entry ? free_entry : &set[hash / KEPT % WAYS];
}

static void release(struct cached_file *entry)
{
    if (*entry->path)
        close(entry->fd);
    *entry->path = 0;
}

/* Is the open file what is at its path now? */
static bool is_current(const struct cached_file *entry)
{
    struct stat now;

    return stat(entry->path, &now) == 0 && now.st_ino == entry->inode;
}

/* Opens what is at the path now.  @return the descriptor, which is kept, or
 * -1 */
static int open_cached(const char *path)
{
    struct cached_file *entry = entry_of(path);
    struct stat now;

    if (!strcmp(entry->path, path) && is_current(entry))
        return entry->fd;
    release(entry);
    if (strlen(path) >= sizeof entry->path)
        return -1;
    entry->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (entry->fd < 0 || fstat(entry->fd, &now)) {
        if (entry->fd >= 0)
            close(entry->fd);
        return -1;
    }
    text_format(entry->path, sizeof entry->path, "%s", path);
    entry->inode = now.st_ino;
    return entry->fd;
}

bool proc_read(const char *path, char *text, size_t size)
{
    const int fd = open_cached(path);
    const ssize_t got = fd < 0 ? -1 : pread(fd, text, size - 1, 0);

    text[got > 0 ? got : 0] = 0;
    return got >= 0;
}

DIR *proc_list(const char *path)
{
    int fd = open_cached(path);
    DIR *folder;

    fd = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return NULL;
    folder = fdopendir(fd);
    if (folder)
        rewinddir(folder); /* both descriptors share the place */
    else
        close(fd);
    return folder;
}

void proc_close_ended(void)
{
    for (size_t i = 0; i < KEPT; i++)
        if (*cache[i].path && !is_current(&cache[i]))
            release(&cache[i]);
}
