/* SPDX-License-Identifier: MIT */
/* The root folder of a box.
 *
 * Everything that is shown is opened first, as a tree of mounts of its own
 * (open_tree), before LAYOUT_ROOT is covered: what lies below LAYOUT_ROOT can
 * be shown, too, and so can what only the grader's user may enter. */
#include "layout.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/text.h"

/* Where the writable file system is mounted until the root is complete, and how
 * many files it has room for until bound_files(). */
#define WRITABLE LAYOUT_ROOT "/.writable"
enum { OWN_FILES = 4096 };

/* The toolchain finds its programs by /etc/alternatives, the loader its
 * libraries by ld.so.cache. */
const char *const layout_system[] = {
    "/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/alternatives",
    "/etc/ld.so.cache", NULL};

const char *const *layout_devices(const struct box *box)
{
    static const char *const null[] = {"/dev/null", NULL};
    static const char *const plain[] = {"/dev/null", "/dev/zero", "/dev/full",
                                        "/dev/urandom", NULL};
    static const char *const gpu[] = {
        "/dev/null", "/dev/zero", "/dev/full", "/dev/urandom",
        "/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia1", "/dev/nvidia2",
        "/dev/nvidia3", "/dev/nvidia4", "/dev/nvidia5", "/dev/nvidia6",
        "/dev/nvidia7", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools",
        "/dev/nvidia-modeset", "/dev/nvidia-caps", NULL};

    return box->kind != BOX_RUN ? null : box->gpu ? gpu : plain;
}

/* One thing that is shown. */
struct part {
    const char *path;
    int tree;       /* its mounts, or -1 */
    bool is_folder;
    char link[256]; /* a symbolic link is shown as one */
};

struct parts {
    struct part part[BOX_READABLE + 40];
    size_t count;
};

enum kind { READABLE, DEVICE };

static bool open_part(const char *path, bool must_exist, enum kind kind,
                      struct parts *parts)
{
    struct mount_attr closed = {.attr_set = MOUNT_ATTR_NOSUID};
    struct part *part = &parts->part[parts->count];
    struct stat about;
    ssize_t length;

    if (lstat(path, &about))
        return !must_exist && (errno == ENOENT || errno == EACCES);
    *part = (struct part){.path = path, .tree = -1};
    if (S_ISLNK(about.st_mode) && kind == READABLE && !must_exist) {
        length = readlink(path, part->link, sizeof part->link - 1);
        parts->count++;
        return length > 0;
    }
    closed.attr_set |= kind == READABLE ? MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV
                                        : 0;
    part->tree = (int)syscall(SYS_open_tree, AT_FDCWD, path,
                              OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC
                                  | AT_RECURSIVE);
    if (part->tree < 0 || stat(path, &about)
        || mount_setattr(part->tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &closed,
                         sizeof closed))
        return false;
    part->is_folder = S_ISDIR(about.st_mode);
    parts->count++;
    return true;
}

static bool open_parts(const struct box *box, struct parts *parts)
{
    const char *const *devices = layout_devices(box);

    for (int i = 0; layout_system[i]; i++)
        if (!open_part(layout_system[i], false, READABLE, parts))
            return false;
    for (size_t i = 0; i < box->readables; i++)
        if (!open_part(box->readable[i], true, READABLE, parts))
            return false;
    for (int i = 0; devices[i]; i++)
        if (!open_part(devices[i], i == 0, DEVICE, parts))
            return false;
    if (box->gpu)
        return open_part("/sys/devices", false, READABLE, parts)
               && open_part("/sys/bus/pci", false, READABLE, parts)
               && open_part("/sys/module", false, READABLE, parts);
    return true;
}

/* Makes the folders above a path of the root folder.
 *  @param[out] place  the path, PATH_MAX bytes */
static bool make_parents(const char *path, char *place)
{
    text_format(place, PATH_MAX, "%s%s", LAYOUT_ROOT, path);
    for (char *at = place + sizeof LAYOUT_ROOT; (at = strchr(at, '/')); at++) {
        int failed;

        *at = 0;
        failed = mkdir(place, 0755) && errno != EEXIST;
        *at = '/';
        if (failed)
            return false;
    }
    return true;
}

static bool make_folder(const char *path, char *place)
{
    return make_parents(path, place)
           && (mkdir(place, 0755) == 0 || errno == EEXIST);
}

static bool attach(int tree, const char *place)
{
    return syscall(SYS_move_mount, tree, "", AT_FDCWD, place,
                   MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

static bool show_part(const struct part *part)
{
    char place[PATH_MAX];
    int fd;

    if (*part->link)
        return make_parents(part->path, place)
               && symlink(part->link, place) == 0;
    if (part->is_folder)
        return make_folder(part->path, place) && attach(part->tree, place);
    if (!make_parents(part->path, place))
        return false;
    fd = open(place, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (fd < 0)
        return false;
    close(fd);
    return attach(part->tree, place);
}

/* Shows one folder of the writable file system under another name. */
static bool show_writable(const char *from, const char *path, mode_t mode,
                          uid_t user)
{
    char place[PATH_MAX];
    int tree;

    if (mkdir(from, 0700) || chmod(from, mode)
        || (user && chown(from, user, user)) || !make_folder(path, place))
        return false;
    tree = (int)syscall(SYS_open_tree, AT_FDCWD, from,
                        OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    return tree >= 0 && attach(tree, place);
}

/* Working folder, /tmp and /dev/shm share one bounded file system.  It is there
 * before anything is shown: the grader's own files may lie below /tmp.
 *  @param[out] folder  its top, open: it tells how full it is */
static bool open_writable(const struct box *box, int *folder)
{
    char options[96];

    text_format(options, sizeof options, "size=%zu,nr_inodes=%u,mode=0755",
                box->folder_bytes, box->folder_files + OWN_FILES);
    return mkdir(WRITABLE, 0700) == 0
           && mount("writable", WRITABLE, "tmpfs", MS_NOSUID | MS_NODEV,
                    options) == 0
           && (*folder = open(WRITABLE, O_PATH | O_CLOEXEC)) >= 0
           && show_writable(WRITABLE "/tmp", "/tmp", 01777, box->user)
           && show_writable(WRITABLE "/shm", "/dev/shm", 01777, box->user);
}

/* The places of what is shown below /tmp do not count as files of the box. */
static bool bound_files(const struct box *box)
{
    struct statvfs about;
    char options[48];

    if (statvfs(WRITABLE, &about))
        return false;
    text_format(options, sizeof options, "nr_inodes=%lu",
                (unsigned long)(about.f_files - about.f_ffree)
                    + box->folder_files);
    return mount("writable", WRITABLE, "tmpfs",
                 MS_REMOUNT | MS_NOSUID | MS_NODEV, options) == 0;
}

static bool close_writable(const struct box *box)
{
    return show_writable(WRITABLE "/work", box->folder, 0700, box->user)
           && bound_files(box) && umount2(WRITABLE, MNT_DETACH) == 0
           && rmdir(WRITABLE) == 0;
}

static bool make_root(const struct box *box, const struct parts *parts,
                      int *folder)
{
    struct mount_attr closed = {.attr_set = MOUNT_ATTR_RDONLY};
    char place[PATH_MAX];

    if (mount("box", LAYOUT_ROOT, "tmpfs", MS_NOSUID | MS_NODEV,
              "size=1m,nr_inodes=1024,mode=0755")
        || !make_folder("/proc", place) || !open_writable(box, folder))
        return false;
    for (size_t i = 0; i < parts->count; i++)
        if (!show_part(&parts->part[i]))
            return false;
    return close_writable(box)
           && mount_setattr(AT_FDCWD, LAYOUT_ROOT, 0, &closed, sizeof closed)
                  == 0;
}

bool layout_make(const struct box *box, const char *init, int *folder)
{
    static struct parts parts;

    parts.count = 0;
    if (unshare(CLONE_NEWNS)
        || mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL)
        || !open_parts(box, &parts) || !open_part(init, true, READABLE, &parts))
        return false;
    parts.part[parts.count - 1].path = LAYOUT_INIT;
    return make_root(box, &parts, folder);
}
