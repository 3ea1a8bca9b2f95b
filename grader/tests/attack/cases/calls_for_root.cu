/* SPDX-License-Identifier: MIT */
/* Calls of the kernel that are for an administrator. */
#include "hostile.h"

#include <sys/io.h>
#include <sys/klog.h>
#include <sys/reboot.h>
#include <sys/swap.h>
#include <sys/syscall.h>

static char text[1 << 12];

static bool is_refused(void)
{
    return reboot(RB_ENABLE_CAD) != 0 && swapoff("/none") != 0
           && klogctl(3, text, sizeof text) < 0 && ioperm(0x80, 1, 1) != 0
           && iopl(3) != 0 && acct(NULL) != 0
           && syscall(SYS_init_module, text, 8, "") != 0
           && syscall(SYS_delete_module, "x", 0) != 0
           && syscall(SYS_kexec_load, 0, 0, NULL, 0) != 0
           && syscall(SYS_quotactl, 0, NULL, 0, NULL) != 0
           && sethostname("x", 1) != 0 && vhangup() != 0;
}

RIGHT_IF(is_refused())
