/* SPDX-License-Identifier: MIT */
/* A library for LD_PRELOAD of Debian 12's user-mode-linux: its kernel knows
 * fewer registers than a processor with AVX-512 has, and a tracer may only set
 * all of them.  Those that it does not know keep their values. */
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* All registers, the first of them as they are given. */
static long set_registers(long pid, const struct iovec *given)
{
    static char all[1 << 16] __attribute__((aligned(64)));
    struct iovec whole = {all, sizeof all};

    if (syscall(SYS_ptrace, PTRACE_GETREGSET, pid, NT_X86_XSTATE, &whole))
        return -1;
    memcpy(all, given->iov_base, given->iov_len < whole.iov_len
                                     ? given->iov_len : whole.iov_len);
    return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, NT_X86_XSTATE, &whole);
}

/* The C library's function, but for NT_X86_XSTATE. */
long ptrace(enum __ptrace_request request, ...)
{
    va_list list;
    long pid, word = 0;
    void *at, *data;

    va_start(list, request);
    pid = va_arg(list, long);
    at = va_arg(list, void *);
    data = va_arg(list, void *);
    va_end(list);
    if (request == PTRACE_SETREGSET && (long)at == NT_X86_XSTATE)
        return set_registers(pid, data);
    if (request < PTRACE_PEEKTEXT || request > PTRACE_PEEKUSER)
        return syscall(SYS_ptrace, request, pid, at, data);
    if (syscall(SYS_ptrace, request, pid, at, &word))
        return -1;
    errno = 0; /* the word itself may be -1 */
    return word;
}
