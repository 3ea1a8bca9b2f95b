/* SPDX-License-Identifier: MIT */
/* Landlock.  The structures are our own: the headers of a distribution are
 * older than its kernels. */
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Rights of files by the version that brought them. */
enum {
    FS_1 = (1 << 13) - 1, /* execute to make a symbolic link */
    FS_REFER = 1 << 13,   /* version 2: move between folders */
    FS_TRUNCATE = 1 << 14, /* version 3 */
    FS_IOCTL = 1 << 15,   /* version 5: of devices */
    NET_ALL = 3,          /* version 4: bind and connect TCP */
    SCOPE_ALL = 3         /* version 6: abstract sockets and signals */
};

/* struct landlock_ruleset_attr of version 6. */
struct rule_set {
    uint64_t files, net, scopes;
};

static const uint64_t read_rights = LANDLOCK_ACCESS_FS_EXECUTE
                                    | LANDLOCK_ACCESS_FS_READ_FILE
                                    | LANDLOCK_ACCESS_FS_READ_DIR;
/* Rights that can be granted for a file that is no folder. */
static const uint64_t file_rights = LANDLOCK_ACCESS_FS_EXECUTE
                                    | LANDLOCK_ACCESS_FS_READ_FILE
                                    | LANDLOCK_ACCESS_FS_WRITE_FILE
                                    | FS_TRUNCATE | FS_IOCTL;

int landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
                           LANDLOCK_CREATE_RULESET_VERSION);

    return version > 0 ? (int)version : 0;
}

static uint64_t handled_rights(int version)
{
    return FS_1 | (version >= 2 ? FS_REFER : 0)
           | (version >= 3 ? FS_TRUNCATE : 0) | (version >= 5 ? FS_IOCTL : 0);
}

int landlock_create(void)
{
    const int version = landlock_version();
    const struct rule_set set = {handled_rights(version), NET_ALL, SCOPE_ALL};
    const size_t bytes = version >= 6   ? sizeof set
                         : version >= 4 ? 2 * sizeof set.files
                                        : sizeof set.files;

    return (int)syscall(SYS_landlock_create_ruleset, &set, bytes, 0);
}

bool landlock_allow(int rules, const char *path, bool changing)
{
    struct landlock_path_beneath_attr beneath = {
        .allowed_access = changing ? handled_rights(landlock_version())
                                   : read_rights};
    struct stat about;
    bool done;
    int error;

    beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (beneath.parent_fd < 0)
        return false;
    if (fstat(beneath.parent_fd, &about) == 0 && !S_ISDIR(about.st_mode))
        beneath.allowed_access &= file_rights;
    done = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH,
                   &beneath, 0) == 0;
    error = errno;
    close(beneath.parent_fd);
    errno = error;
    return done;
}

bool landlock_apply(int rules)
{
    bool done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
                && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    int error = errno;

    close(rules);
    errno = error;
    return done;
}
