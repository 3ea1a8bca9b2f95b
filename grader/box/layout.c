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
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/text.h"

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

/* Working folder, /tmp and /dev/shm share one bounded file system.
 *  @param[out] folder  its top, open: it tells how full it is */
static bool make_writable(const struct box *box, int *folder)
{
    static const char writable[] = LAYOUT_ROOT "/.writable";
    char options[96], path[64];

    text_format(options, sizeof options, "size=%zu,nr_inodes=%u,mode=0755",
                box->folder_bytes, box->folder_files + 4);
    if (mkdir(writable, 0700)
        || mount("writable", writable, "tmpfs", MS_NOSUID | MS_NODEV, options)
        || (*folder = open(writable, O_PATH | O_CLOEXEC)) < 0)
        return false;
    text_format(path, sizeof path, "%s/work", writable);
    if (!show_writable(path, box->folder, 0700, box->user))
        return false;
    text_format(path, sizeof path, "%s/tmp", writable);
    if (!show_writable(path, "/tmp", 01777, box->user))
        return false;
    text_format(path, sizeof path, "%s/shm", writable);
    return show_writable(path, "/dev/shm", 01777, box->user)
           && umount2(writable, MNT_DETACH) == 0 && rmdir(writable) == 0;
}

static bool make_root(const struct box *box, const struct parts *parts,
                      int *folder)
{
    struct mount_attr closed = {.attr_set = MOUNT_ATTR_RDONLY};
    char place[PATH_MAX];

    if (mount("box", LAYOUT_ROOT, "tmpfs", MS_NOSUID | MS_NODEV,
              "size=1m,nr_inodes=1024,mode=0755")
        || !make_folder("/proc", place))
        return false;
    for (size_t i = 0; i < parts->count; i++)
        if (!show_part(&parts->part[i]))
            return false;
    return make_writable(box, folder)
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
