/* SPDX-License-Identifier: MIT */
/* Acts on files: to read and write what lies outside of the box. */
#include "acts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "canary.h"

bool act_can_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool read_secret(void)
{
    return act_can_open(act_argument[CANARY_SECRET], O_RDONLY);
}

static bool read_other(void)
{
    return act_can_open(act_argument[CANARY_OTHER], O_RDONLY);
}

static bool read_below(const char *folder)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", act_argument[CANARY_SOURCES], folder);
    return act_can_open(path, O_RDONLY);
}

static bool read_solutions(void)
{
    return read_below("solutions/01_vector_add") || read_below("solutions");
}

static bool read_grader(void)
{
    return read_below("grader/suites/01_vector_add.c") || read_below("grader")
           || act_can_open(act_argument[CANARY_PROGRAM], O_RDONLY);
}

static bool write_outside(void)
{
    static const char *const folders[] = {"/", "/usr", "/usr/lib", "/etc",
                                          "/var/tmp", "/home", "/root", "/run",
                                          "/dev"};
    char path[64];

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/box-canary.%d", folders[i],
                 (int)getpid());
        if (act_can_open(path, O_WRONLY | O_CREAT | O_EXCL)) {
            unlink(path);
            return true;
        }
    }
    return false;
}

static bool change_machine(void)
{
    static const char *const files[] = {
        "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
        "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/power/state",
        "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (act_can_open(files[i], O_WRONLY))
            return true;
    return false;
}

/* Is it named in "null zero full"? */
static bool is_allowed_device(const char *name)
{
    static const char *const folders[] = {".", "..", "shm"};
    const size_t length = strlen(name);

    for (size_t i = 0; i < 3; i++)
        if (!strcmp(name, folders[i]))
            return true;
    for (const char *at = act_argument[CANARY_DEVICES];
         (at = strstr(at, name)); at += length)
        if ((at == act_argument[CANARY_DEVICES] || at[-1] == ' ')
            && (!at[length] || at[length] == ' '))
            return true;
    return !strncmp(name, "nvidia", 6);
}

static bool other_devices(void)
{
    DIR *all = opendir("/dev");
    struct dirent *entry;
    char path[300];
    bool found = act_can_open("/dev/kmsg", O_RDONLY)
                 || act_can_open("/dev/ptmx", O_RDWR)
                 || act_can_open("/dev/tty", O_RDWR);

    while (all && !found && (entry = readdir(all))) {
        snprintf(path, sizeof path, "/dev/%s", entry->d_name);
        found = !is_allowed_device(entry->d_name)
                && act_can_open(path, O_RDONLY);
    }
    if (all)
        closedir(all);
    return found;
}

static bool make_device(void)
{
    bool made = mknod("device", S_IFCHR | 0600, 1 << 8 | 1) == 0;

    unlink("device");
    return made;
}

const struct act acts_on_files[] = {
    {"read a file of the grader's user alone", read_secret},
    {"read another submission", read_other},
    {"read the references", read_solutions},
    {"read the grader's files", read_grader},
    {"write outside of its folder", write_outside},
    {"change the kernel's settings", change_machine},
    {"open other devices", other_devices},
    {"make a device", make_device},
    {NULL, NULL}};
