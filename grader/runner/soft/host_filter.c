/* SPDX-License-Identifier: MIT */
/* The host process's own filter of system calls: it is boxed apart from the
 * device process, which must read and write its memory and shares its user id
 * with it.  Signals reach the host process itself alone, so that it can
 * neither stop nor end the device process. */
#include <asm/sockios.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"

#ifdef __aarch64__
#define OWN_ABI AUDIT_ARCH_AARCH64
#else
#define OWN_ABI AUDIT_ARCH_X86_64
#endif
enum { X32_BIT = 0x40000000 }; /* numbers of another ABI of x86-64 */

#define LOAD(member)                                                          \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
/* Refuse a call. */
#define NOT(call)                                                             \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), REFUSE
/* Refuse a call unless its first argument is this process, or `also`. */
#define SELF_OR(also, call)                                                   \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 5), LOAD(args[0]),     \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 2, 0),                      \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, also, 1, 0), REFUSE,              \
        RETURN(SECCOMP_RET_ALLOW)
#define SELF_ONLY(call) SELF_OR(self, call)
/* Refuse two commands of a call: those by which a descriptor sends signals to
 * another process. */
#define NO_OWNER(call, command, other)                                        \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 5), LOAD(args[1]),     \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, command, 1, 0),                   \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1), REFUSE,             \
        RETURN(SECCOMP_RET_ALLOW)
enum { SET_OWNER = 8, SET_OWNER_EX = 15 }; /* F_SETOWN, F_SETOWN_EX */

void filter_host_calls(void)
{
    const uint32_t self = (uint32_t)getpid();
    struct sock_filter code[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ABI, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        /* memory and descriptors of other processes */
        NOT(process_vm_readv), NOT(process_vm_writev), NOT(ptrace),
        NOT(process_madvise), NOT(kcmp), NOT(pidfd_open), NOT(pidfd_getfd),
        NOT(perf_event_open), NOT(userfaultfd), NOT(bpf),
        NOT(migrate_pages), NOT(move_pages), SELF_OR(0, prlimit64),
        /* when and where they run */
        SELF_OR(0, sched_setaffinity), SELF_OR(0, sched_setscheduler),
        SELF_OR(0, sched_setparam), SELF_OR(0, sched_setattr),
        SELF_OR(0, setpgid), NOT(setpriority), NOT(ioprio_set),
        /* signals to others */
        NOT(pidfd_send_signal), SELF_ONLY(kill), SELF_ONLY(tgkill),
        SELF_ONLY(rt_sigqueueinfo), SELF_ONLY(rt_tgsigqueueinfo), NOT(tkill),
        NO_OWNER(fcntl, SET_OWNER, SET_OWNER_EX),
        NO_OWNER(ioctl, FIOSETOWN, SIOCSPGRP),
        RETURN(SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {sizeof code / sizeof *code, code};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(EXIT_FAILURE);
}
