/* SPDX-License-Identifier: MIT */
/* Asks the device process for access as the grader does, and then tries its
 * memory: the kernel refuses all of it. */
#include "hostile.h"

#include <sys/ptrace.h>
#include <sys/uio.h>

static int word = 7;

/* Acts that succeeded. */
static int count_acts(pid_t device)
{
    int found = 0;
    iovec here = {&found, sizeof found}, there = {&word, sizeof word};
    int acts = process_vm_readv(device, &here, 1, &there, 1, 0) > 0;

    acts += process_vm_writev(device, &here, 1, &there, 1, 0) > 0;
    acts += ptrace(PTRACE_ATTACH, device, NULL, NULL) == 0;
    return acts;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        kill(getppid(), SIGWINCH);
        usleep(10000);
        if (count_acts(getppid()))
            return 1;
    }
    return honest(a, b, c, n);
}
