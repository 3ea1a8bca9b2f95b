/* SPDX-License-Identifier: MIT */
/* Removing a folder.  A folder that lies in a folder of the root is moved up
 * into the root: two levels are open at a time, and no path is long, whatever
 * the depth. */
#include "remove_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a folder, which its owner may have closed to itself. */
static int open_folder(int parent, const char *name)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(parent, name, flags);
    struct stat about;

    if (fd >= 0)
        fchmod(fd, 0700);
    if (fd >= 0 || fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW)
        || !S_ISDIR(about.st_mode) || fchmodat(parent, name, 0700, 0))
        return fd;
    return openat(parent, name, flags);
}

/* readdir() also returns the folder itself and its parent. */
static bool is_dot(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Moves a folder into the root, under a name that is not taken. */
static bool move_up(int folder, const char *name, int root)
{
    static unsigned count;
    char moved[32];

    fchmodat(folder, name, 0700, 0); /* of ours: ".." of it changes */
    for (int i = 0; i < 1000; i++) {
        snprintf(moved, sizeof moved, ".moved.%u", count++);
        if (renameat2(folder, name, root, moved, RENAME_NOREPLACE) == 0)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* Removes what is in a folder of the root.  @return whether it is empty then */
static bool empty_folder(int root, const char *name)
{
    int fd = open_folder(root, name);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    bool is_empty = folder != NULL;

    while (folder && (entry = readdir(folder)))
        if (!is_dot(entry->d_name) && unlinkat(fd, entry->d_name, 0)
            && unlinkat(fd, entry->d_name, AT_REMOVEDIR))
            is_empty = move_up(fd, entry->d_name, root) && is_empty;
    if (folder)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
    return is_empty;
}

/* One pass over the root.  @return entries that were removed or emptied */
static size_t sweep(int root)
{
    int copy = fcntl(root, F_DUPFD_CLOEXEC, 0);
    DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;
    struct dirent *entry;
    size_t removed = 0;

    if (folder)
        rewinddir(folder);
    while (folder && (entry = readdir(folder))) {
        if (is_dot(entry->d_name))
            continue;
        if (unlinkat(root, entry->d_name, 0) == 0
            || unlinkat(root, entry->d_name, AT_REMOVEDIR) == 0
            || (empty_folder(root, entry->d_name)
                && unlinkat(root, entry->d_name, AT_REMOVEDIR) == 0))
            removed++;
    }
    if (folder)
        closedir(folder);
    return removed;
}

/* A file system that was mounted on a folder of the root hides its content. */
static void unmount_in(const char *path, int root)
{
    char inner[4096 + 256];
    DIR *folder = fdopendir(fcntl(root, F_DUPFD_CLOEXEC, 0));
    struct dirent *entry;

    while (folder && (entry = readdir(folder))) {
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (!is_dot(entry->d_name))
            umount2(inner, MNT_DETACH | UMOUNT_NOFOLLOW);
    }
    if (folder)
        closedir(folder);
}

void remove_tree(const char *path)
{
    int root = open_folder(AT_FDCWD, path);

    if (root >= 0) {
        unmount_in(path, root);
        while (sweep(root))
            ;
        close(root);
    }
    umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW);
    rmdir(path);
}
