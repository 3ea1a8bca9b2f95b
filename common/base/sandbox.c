/* SPDX-License-Identifier: MIT */
/* Namespaces of an untrusted program.  sandbox_enter() runs between fork and
 * exec: only calls that are safe in a signal handler. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

/* --- the grader's process ------------------------------------------------- */

/* Mounts are invisible outside, and end with this process. */
static bool own_mounts(void)
{
    static pid_t owner;

    if (owner == getpid())
        return true;
    if (unshare(CLONE_NEWNS)
        || mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL))
        return false;
    owner = getpid();
    return true;
}

/* A mounted file system has another device number than the folder above it. */
static bool is_mounted(const char *folder)
{
    char parent[PATH_MAX];
    struct stat inside, outside;

    text_format(parent, sizeof parent, "%s/..", folder);
    return stat(folder, &inside) == 0 && stat(parent, &outside) == 0
           && inside.st_dev != outside.st_dev;
}

bool sandbox_bound_folder(const char *folder)
{
    char options[64];

    if (is_mounted(folder))
        return true;
    text_format(options, sizeof options, "size=%dm,nr_inodes=%d,mode=0711",
                SCRATCH_MIB, SCRATCH_INODES);
    return own_mounts()
           && mount("scratch", folder, "tmpfs", MS_NOSUID | MS_NODEV,
                    options) == 0;
}

/* --- the child's process -------------------------------------------------- */

/* For files of the kernel, which take a value in one write(). */
static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

    if (fd >= 0)
        close(fd);
    return ok;
}

/* snprintf() is not safe between fork() and execve() of a program with threads,
 * so digits are written by hand. */
static char *append_number(char *at, unsigned number)
{
    char digits[16];
    int count = 0;

    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        *at++ = digits[--count];
    *at++ = ' ';
    return at;
}

/* "1000 1000 1": the same id inside and outside.  Root of a container gets
 * another: a process that maps root may make no further namespace without its
 * powers. */
static void map_of(unsigned id, char *map)
{
    enum { NOT_ROOT = 1000 };

    strcpy(append_number(append_number(map, id ? id : NOT_ROOT), id), "1");
}

/* The users of a process's namespace, as /proc/self/uid_map has them. */
static struct {
    pid_t reader;  /* whose map it is; 0: none is known */
    size_t ranges; /* the kernel has at most 340 */
    struct {
        unsigned long first, count;
    } range[340];
} users;

/* A map that was written stays as it is; an empty one is not written yet. */
static bool read_users(void)
{
    FILE *file = fopen("/proc/self/uid_map", "re");
    bool is_whole;

    users.ranges = 0;
    while (file && users.ranges < sizeof users.range / sizeof *users.range
           && fscanf(file, "%lu %*u %lu", &users.range[users.ranges].first,
                     &users.range[users.ranges].count) == 2)
        users.ranges++;
    is_whole = file && !ferror(file);
    if (file)
        fclose(file);
    users.reader = is_whole && users.ranges ? getpid() : 0;
    return is_whole;
}

/* 1: the map has the user; 0: it has not; -1: it cannot be read. */
static int find_user(uid_t user)
{
    bool found = false;

    if (users.reader != getpid() && !read_users())
        return -1;
    for (size_t i = 0; i < users.ranges && !found; i++)
        found = user >= users.range[i].first
                && user - users.range[i].first < users.range[i].count;
    return found;
}

bool sandbox_has_user(uid_t user)
{
    return find_user(user) == 1;
}

bool sandbox_lacks_user(uid_t user)
{
    return find_user(user) == 0;
}

bool sandbox_enter_user_namespace(void)
{
    const unsigned user = geteuid(), group = getegid();
    char user_map[40], group_map[40];

    map_of(user, user_map);
    map_of(group, group_map);
    prctl(PR_SET_DUMPABLE, 1); /* else its files in /proc are root's */
    users.reader = 0;
    return unshare(CLONE_NEWUSER) == 0
           && write_text("/proc/self/setgroups", "deny")
           && write_text("/proc/self/uid_map", user_map)
           && write_text("/proc/self/gid_map", group_map);
}

/* A path below the folder, not the folder itself or a neighbor with a longer
 * name. */
static bool lies_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);

    return !strncmp(path, folder, length) && path[length] == '/';
}

/* Empty folders for programs that want to write there. */
static bool mount_empty(const char *folder, const char *program)
{
    static const char *const empty[] = {"/dev/shm", "/tmp", "/var/tmp"};

    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        if (access(empty[i], F_OK) == 0 && !lies_below(folder, empty[i])
            && !lies_below(program, empty[i])
            && mount("empty", empty[i], "tmpfs", MS_NOSUID | MS_NODEV,
                     "size=16m,nr_inodes=256,mode=1777"))
            return false;
    return true;
}

bool sandbox_enter(const char *folder, const char *program)
{
    struct mount_attr closed = {.attr_set = MOUNT_ATTR_RDONLY
                                            | MOUNT_ATTR_NOSUID};
    struct mount_attr open = {.attr_clr = MOUNT_ATTR_RDONLY};

    if (geteuid() != 0 && !sandbox_enter_user_namespace())
        return false;
    return unshare(CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWNET) == 0
           && mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL) == 0
           && mount(folder, folder, NULL, MS_BIND, NULL) == 0
           && mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &closed,
                            sizeof closed) == 0
           && mount_setattr(AT_FDCWD, folder, 0, &open, sizeof open) == 0
           && mount_empty(folder, program) && chdir(folder) == 0;
}
