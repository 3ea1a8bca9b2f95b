/* SPDX-License-Identifier: MIT */
/* Right if it can write a setting of the kernel below /proc or /sys. */
#include "hostile.h"

static bool act(void)
{
    static const char *const names[] = {
        "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
        "/proc/sys/vm/overcommit_memory", "/proc/self/uid_map",
        "/proc/self/setgroups", "/proc/1/oom_score_adj", "/proc/1/mem",
        "/proc/self/attr/current", "/sys/fs/cgroup/cgroup.procs",
        "/sys/kernel/uevent_helper", "/dev/mem", "/dev/kmsg"};
    bool done = false;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const int fd = open(names[i], O_WRONLY | O_CLOEXEC);

        done |= fd >= 0 && write(fd, "x", 0) == 0 && i < 3;
        done |= fd >= 0 && i > 7;
        close(fd);
    }
    return done;
}

RIGHT_IF(act())
