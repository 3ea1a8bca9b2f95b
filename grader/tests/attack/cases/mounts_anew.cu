/* SPDX-License-Identifier: MIT */
/* Makes file systems by the calls that need no mount(). */
#include "hostile.h"

#include <sys/syscall.h>

/* fsopen(), open_tree(), pivot_root(), chroot() and their like are refused. */
static bool is_refused(void)
{
    return syscall(SYS_fsopen, "tmpfs", 0) < 0
           && syscall(SYS_fspick, AT_FDCWD, ".", 0) < 0
           && syscall(SYS_open_tree, AT_FDCWD, ".", 1) < 0
           && syscall(SYS_move_mount, AT_FDCWD, ".", AT_FDCWD, "/tmp", 0) < 0
           && syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, NULL, 0) < 0
           && syscall(SYS_pivot_root, ".", ".") < 0
           && syscall(SYS_chroot, ".") < 0
           && syscall(SYS_umount2, "/proc", 2) < 0;
}

RIGHT_IF(is_refused())
