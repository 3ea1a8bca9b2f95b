/* SPDX-License-Identifier: MIT */
/* The seccomp filter, compiled by libseccomp.
 *
 * Calls are refused by a list, not allowed by one: a GPU's driver and a
 * sanitizer's runtime make calls that differ from version to version.  The
 * namespaces, the empty set of capabilities and Landlock hold without this
 * list; it is the second wall, and the first for kernel keys, io_uring and
 * AF_VSOCK, which no namespace covers.  Calls of another ABI (32 bit, x32) end
 * the process; libseccomp's default ends the calling thread alone, and a runner
 * without its first thread hangs. */
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* EPERM, as if a capability were missing. */
static const int refused[] = {
    /* namespaces, mounts, the root folder */
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount2),
    SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(move_mount),
    SCMP_SYS(open_tree), SCMP_SYS(fsopen), SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(mount_setattr),
    SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at),
    SCMP_SYS(quotactl), SCMP_SYS(fanotify_init), SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    /* other processes */
    SCMP_SYS(ptrace), SCMP_SYS(kcmp), SCMP_SYS(pidfd_getfd),
    SCMP_SYS(perf_event_open),
    /* what crosses boxes, and large parts of the kernel */
    SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register), SCMP_SYS(bpf), SCMP_SYS(userfaultfd),
    /* the machine */
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(reboot),
    SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(syslog),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(adjtimex),
    SCMP_SYS(clock_adjtime), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
    SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(vhangup), SCMP_SYS(nfsservctl),
    SCMP_SYS(lookup_dcookie), SCMP_SYS(modify_ldt)};

/* Calls that tell of other boxes by files that all of them have. */
static const int without_locks[] = {
    SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1), SCMP_SYS(flock)};

/* Memory that no process has mapped: without a control group nothing counts
 * it. */
static const int without_files[] = {
    SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret), SCMP_SYS(shmget),
    SCMP_SYS(msgget)};

/* Memory of another process of the box. */
static const int without_copies[] = {SCMP_SYS(process_vm_readv),
                                     SCMP_SYS(process_vm_writev)};

static bool refuse_calls(scmp_filter_ctx filter, const int *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0))
            return false;
    return true;
}

static bool add_refused(scmp_filter_ctx filter,
                        const struct filter_needs *needs)
{
    return refuse_calls(filter, refused, sizeof refused / sizeof *refused)
           && (needs->locks
               || refuse_calls(filter, without_locks, sizeof without_locks
                                                      / sizeof *without_locks))
           && (needs->files
               || refuse_calls(filter, without_files, sizeof without_files
                                                      / sizeof *without_files))
           && (needs->copies
               || refuse_calls(filter, without_copies,
                               sizeof without_copies
                                   / sizeof *without_copies));
}

/* clone3's flags lie in memory, where a filter cannot look: without it the C
 * library uses clone. */
static bool add_clone(scmp_filter_ctx filter)
{
    static const unsigned long namespaces[] = {
        CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
        CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET};

    for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, namespaces[i],
                                     namespaces[i])))
            return false;
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3),
                            0) == 0;
}

/* Only AF_UNIX; no characters pushed into a terminal.  The kernel looks at the
 * lower 32 bits of these arguments. */
static bool add_by_argument(scmp_filter_ctx filter)
{
    const unsigned long low = 0xffffffff;

    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT),
                            SCMP_SYS(socket), 1,
                            SCMP_A0_32(SCMP_CMP_NE, AF_UNIX, 0)) == 0
           && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl),
                               1, SCMP_A1(SCMP_CMP_MASKED_EQ, low, TIOCSTI))
                  == 0
           && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl),
                               1, SCMP_A1(SCMP_CMP_MASKED_EQ, low, TIOCLINUX))
                  == 0;
}

/* Locks of files that all boxes have; limits of another process of the box. */
static bool add_locks(scmp_filter_ctx filter, const struct filter_needs *needs)
{
    static const int locks[] = {F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK,
                                F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE,
                                F_NOTIFY};

    for (size_t i = 0; !needs->locks && i < sizeof locks / sizeof *locks; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 1,
                             SCMP_A1_32(SCMP_CMP_EQ, (uint32_t)locks[i], 0)))
            return false;
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64),
                            1, SCMP_A0_32(SCMP_CMP_NE, 0, 0)) == 0;
}

static int make_filter(const struct filter_needs *needs)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int fd = memfd_create("filter", MFD_CLOEXEC);

    if (!filter || fd < 0
        || seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH,
                            SCMP_ACT_KILL_PROCESS)
        || !add_refused(filter, needs)
        || !add_clone(filter) || !add_by_argument(filter)
        || !add_locks(filter, needs)
        || seccomp_export_bpf(filter, fd)) {
        if (fd >= 0)
            close(fd);
        fd = -1;
        errno = ENOTSUP;
    }
    seccomp_release(filter);
    return fd;
}

int filter_open(const struct filter_needs *needs)
{
    static int made[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    int *fd = &made[4 * needs->locks + 2 * needs->files + needs->copies];

    if (*fd < 0)
        *fd = make_filter(needs);
    return *fd;
}
