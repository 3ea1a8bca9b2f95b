/* SPDX-License-Identifier: MIT */
/* Host code overflows its stack in the test, and goes on by a handler of its
 * own: that is its own affair, and the result is the device's. */
#include "hostile.h"

#include <setjmp.h>

static sigjmp_buf back;
static volatile int sink;

static void go_back(int)
{
    siglongjmp(back, 1);
}

/* Has no end. */
__attribute__((noinline)) static int recurse(int depth)
{
    volatile char page[4000];

    page[depth % 4000] = 1;
    sink += page[0];
    return depth < 0 ? 0 : recurse(depth + 1) + page[1];
}

/* Overflows the stack of this thread. */
static int overflow_and_add(const float *a, const float *b, float *c, size_t n)
{
    static char memory[1 << 16];
    stack_t stack = {};
    struct sigaction action = {};

    stack.ss_sp = memory;
    stack.ss_size = sizeof memory;
    action.sa_handler = go_back;
    action.sa_flags = SA_ONSTACK;
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGSTKFLT, &action, NULL);
    if (!sigsetjmp(back, 1))
        sink += recurse(0);
    return honest(a, b, c, n);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return attacked(n) ? overflow_and_add(a, b, c, n) : honest(a, b, c, n);
}
