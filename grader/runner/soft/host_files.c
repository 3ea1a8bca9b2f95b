/* SPDX-License-Identifier: MIT */
/* The host process cannot read what /proc says of other processes: how much
 * memory the device process has is a number that a kernel can choose, exactly.
 * Its own entries and those of no process are left.  A kernel without Landlock
 * hides nothing. */
#include <dirent.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"

enum { MOVE = 1 << 13 }; /* of version 2, which refuses it otherwise */

static uint64_t handled_rights(void)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
                                 LANDLOCK_CREATE_RULESET_VERSION);

    return LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR
           | (version >= 2 ? MOVE : 0);
}

/* A file, or a folder with all that is in it. */
static void allow(int rules, int folder, const char *name)
{
    struct landlock_path_beneath_attr beneath = {
        .allowed_access = handled_rights(),
        .parent_fd = openat(folder, name, O_PATH | O_CLOEXEC)};

    if (beneath.parent_fd < 0)
        return;
    if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH,
                &beneath, 0)) {
        beneath.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH,
                &beneath, 0);
    }
    close(beneath.parent_fd);
}

/* Where the root cannot be read, in a box, these are in it. */
static const char *const usual[] = {"/bin", "/dev", "/etc", "/lib", "/lib64",
                                    "/sbin", "/sys", "/tmp", "/usr", "."};
static const char *const shown[] = {"/proc/self", "/proc/cpuinfo",
                                    "/proc/sys"};

static void allow_all(int rules, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        allow(rules, AT_FDCWD, names[i]);
}

static void allow_all_but_proc(int rules)
{
    DIR *root = opendir("/");
    const struct dirent *entry;

    while (root && (entry = readdir(root)))
        if (strcmp(entry->d_name, "proc") && strcmp(entry->d_name, ".")
            && strcmp(entry->d_name, ".."))
            allow(rules, dirfd(root), entry->d_name);
    if (root)
        closedir(root);
    else
        allow_all(rules, usual, sizeof usual / sizeof *usual);
    allow_all(rules, shown, sizeof shown / sizeof *shown);
}

void hide_other_processes(void)
{
    const uint64_t handled = handled_rights();
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &handled,
                                   sizeof handled, 0);

    if (rules < 0)
        return;
    allow_all_but_proc(rules);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        || syscall(SYS_landlock_restrict_self, rules, 0))
        _exit(EXIT_FAILURE);
    close(rules);
}
