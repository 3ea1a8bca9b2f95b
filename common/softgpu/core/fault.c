/* SPDX-License-Identifier: MIT */
/** @file
 *  A crash inside a kernel, a failed assert, a trap, a deadlock: store block,
 *  thread and code address, and leave the fiber for the worker's native stack.
 *  Outside kernels every signal has the effect that it had before.
 */
#define _GNU_SOURCE
#include "fault.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "code_range.h"
#include "fiber.h"
#include "memory_operand.h"
#include "monitor.h"
#include "shared_memory.h"

enum { SIGNAL_STACK = 64 << 10 };

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof fatal_signals[0] };
static struct sigaction old_handlers[FATAL_SIGNALS];
static struct sigaction old_preempt; /* the program's own, or the default */

bool softgpu_fault_claim(struct run *run, int error)
{
    int none = 0;
    return atomic_compare_exchange_strong(&run->error, &none, error);
}

void softgpu_fault_set_location(struct fault *fault, const void *pc,
                                bool is_return_address)
{
    const struct softgpu_block *b = CURRENT_BLOCK;
    fault->pc = pc;
    fault->is_return_address = is_return_address;
    fault->block = blockIdx;
    fault->linear = b->linear + blockIdx.x - b->index.x;
    fault->thread = CURRENT_THREAD->id;
    fault->replay = b->thread_loop || b->gang_threads;
    fault->has_thread = true;
}

void softgpu_fail(int error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!CURRENT_BLOCK) {
        fputs("softgpu: ", stderr);
        vfprintf(stderr, format, args);
        fputc('\n', stderr);
        abort();
    }
    struct run *run = CURRENT_BLOCK->worker->run;
    const void *pc = __builtin_return_address(0);
    if (!softgpu_is_program_code(pc)) /* use the runtime's caller */
        pc = CURRENT_THREAD->site;
    if (softgpu_fault_claim(run, error)) {
        vsnprintf(run->fault.text, sizeof run->fault.text, format, args);
        softgpu_fault_set_location(&run->fault, pc, true);
    }
    va_end(args);
    softgpu_exit_fibers();
}

/* A few distinct places are enough to explain a deadlock. */
static void add_wait_site(struct fault *fault, const void *pc)
{
    uint32_t i = 0;
    while (i < fault->site_count && fault->sites[i].pc != pc)
        i++;
    if (i == WAIT_SITES)
        return;
    fault->site_count += i == fault->site_count;
    fault->sites[i].pc = pc;
    fault->sites[i].threads++;
}

void softgpu_fail_deadlock(struct softgpu_block *b)
{
    struct run *run = b->worker->run;
    if (softgpu_fault_claim(run, SOFTGPU_LAUNCH_TIMEOUT)) {
        struct fault *fault = &run->fault;
        for (uint32_t i = 0; i < b->count; i++)
            if (b->threads[i].sp && &b->threads[i] != CURRENT_THREAD)
                add_wait_site(fault, b->threads[i].site);
        if (CURRENT_THREAD->wait_word != &softgpu_wait_forever)
            add_wait_site(fault, CURRENT_THREAD->site);
        fault->block = b->index;
        snprintf(fault->text, sizeof fault->text,
                 "block (%u,%u,%u) is deadlocked: ", b->index.x, b->index.y,
                 b->index.z);
    }
    softgpu_exit_fibers();
}

/* --- device assert ------------------------------------------------------- */

/* Replaces libc's function in the program: in a kernel, CUDA's message. */
void __assert_fail(const char *condition, const char *file, unsigned line,
                   const char *function)
{
    if (!CURRENT_BLOCK) {
        fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n",
                program_invocation_short_name, file, line, function,
                condition);
        abort();
    }
    const uint3 b = blockIdx, t = threadIdx; /* valid in a thread loop, too */
    fflush(stdout);
    fprintf(stderr,
            "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] "
            "Assertion `%s` failed.\n",
            file, line, function, b.x, b.y, b.z, t.x, t.y, t.z, condition);
    struct run *run = CURRENT_BLOCK->worker->run;
    if (softgpu_fault_claim(run, SOFTGPU_ASSERT)) {
        softgpu_fault_set_location(&run->fault, __builtin_return_address(0),
                                   true);
        run->fault.replay = false;
        run->fault.already_reported = true;
        snprintf(run->fault.text, sizeof run->fault.text,
                 "assertion `%s` failed", condition);
    }
    softgpu_end_failed_thread(); /* each thread whose assert fails says so */
}

/* --- signals ------------------------------------------------------------- */

/* The instruction that was interrupted. */
static const void *signal_pc(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const void *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (const void *)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

/* The stack pointer of the interrupted code: on a fiber's stack, or not. */
static const char *signal_sp(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const char *)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (const char *)context->uc_mcontext.sp;
#else
    (void)context;
    return NULL;
#endif
}

/* The runtime, instrumentation or the C library crashed.  The place in the
 * program that called it is the first word on the thread's stack that is an
 * address in the program's code. */
static const void *find_program_caller(const ucontext_t *context)
{
    const struct stack *s = CURRENT_THREAD->stack;
    const char *sp = signal_sp(context);
    if (!s || !sp || sp >= (const char *)s->top)
        return NULL;
    sp = sp < s->base ? s->base : sp; /* after a stack overflow */
    const void *const *word = (const void *const *)((size_t)sp & ~(size_t)7);
    while ((const void *)word < s->top && !softgpu_is_program_code(*word))
        word++;
    return (const void *)word < s->top ? *word : NULL;
}

/* Let the interrupted code continue in softgpu_exit_fibers(), on the unused
 * part of the worker's native stack. */
static void redirect_to_exit(ucontext_t *context, const struct worker *w)
{
    const size_t below = ((size_t)w->native_sp - 512) & ~(size_t)15;
#if defined(__x86_64__)
    context->uc_mcontext.gregs[REG_RSP] = (greg_t)(below - 8);
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)(size_t)softgpu_exit_fibers;
#elif defined(__aarch64__)
    context->uc_mcontext.sp = below;
    context->uc_mcontext.pc = (size_t)softgpu_exit_fibers;
#else
    (void)context;
    (void)below;
    (void)w;
    softgpu_exit_fibers();
#endif
}

/* A non-canonical or a misaligned address: the signal does not tell which. */
static int classify_general_protection(const ucontext_t *context,
                                       struct fault *fault)
{
    uintptr_t address = 0;
    const bool known = softgpu_memory_operand(context, &address);
    const intptr_t high = (intptr_t)address >> 47; /* equal bits if canonical */
    if (known && high != 0 && high != -1) {
        snprintf(fault->text, sizeof fault->text, "illegal address %p",
                 (void *)address);
        fault->address = (void *)address;
        return SOFTGPU_ILLEGAL_ADDRESS;
    }
    if (known)
        snprintf(fault->text, sizeof fault->text, "misaligned address %p",
                 (void *)address);
    else
        snprintf(fault->text, sizeof fault->text,
                 "misaligned address, or one outside the address space");
    return SOFTGPU_MISALIGNED_ADDRESS;
}

/* The access hit a guard page of shared memory. */
static bool is_shared_out_of_bounds(const void *address, char *text,
                                    size_t bytes)
{
    const long off = softgpu_shared_out_of_bounds(CURRENT_BLOCK, address);

    if (off)
        snprintf(text, bytes, "illegal address, %s the block's shared memory",
                 off > 0 ? "past the end of" : "before the start of");
    return off != 0;
}

/* The text for the report. @return a CUDA error number */
static int classify_signal(int number, const siginfo_t *info,
                           const ucontext_t *context, struct fault *fault)
{
    char *text = fault->text;
    const size_t bytes = sizeof fault->text;
    const bool in_stack = softgpu_stack_overflowed(
        CURRENT_BLOCK->worker->stacks, info->si_addr);
    if (number == SIGFPE) {
        snprintf(text, bytes,
                 "integer division by zero (a GPU gives a meaningless "
                 "quotient instead)");
        return SOFTGPU_LAUNCH_FAILURE;
    }
    if (number == SIGILL) {
        snprintf(text, bytes, "illegal instruction");
        return SOFTGPU_ILLEGAL_INSTRUCTION;
    }
    if (number == SIGSEGV && info->si_code > 0 && info->si_code != SI_KERNEL) {
        if (is_shared_out_of_bounds(info->si_addr, text, bytes))
            return SOFTGPU_ILLEGAL_ADDRESS;
        snprintf(text, bytes,
                 in_stack ? "stack overflow at %p" : "illegal address %p",
                 info->si_addr);
        fault->address = in_stack ? NULL : info->si_addr;
        return in_stack ? SOFTGPU_STACK_ERROR : SOFTGPU_ILLEGAL_ADDRESS;
    }
    return classify_general_protection(context, fault);
}

/* Faults of host code are none of ours: a debugger or a sanitizer may wait for
 * them. */
static void restore_handler(int number)
{
    for (unsigned i = 0; i < FATAL_SIGNALS; i++)
        if (fatal_signals[i] == number)
            sigaction(number, &old_handlers[i], NULL);
}

/* A fault in device code ends the grid, not the process: the worker leaves
 * through its fibers' exit. */
static void on_fatal_signal(int number, siginfo_t *info, void *context)
{
    /* in host code or between two stacks: fault again in the old handler */
    if (!CURRENT_BLOCK || !CURRENT_THREAD) {
        restore_handler(number);
        return;
    }
    struct run *run = CURRENT_BLOCK->worker->run;
    struct fault fault = {.pc = NULL};
    const int error = classify_signal(number, info, context, &fault);
    const void *copy = softgpu_copy_site;
    softgpu_copy_site = NULL;
    const void *pc = signal_pc(context);
    if (!copy && run->grid->kernel->flags & SOFTGPU_LIBRARY)
        copy = CURRENT_THREAD->site; /* the call in the program */
    if (!copy && !softgpu_is_program_code(pc))
        copy = find_program_caller(context);
    if (softgpu_fault_claim(run, error)) {
        softgpu_fault_set_location(&fault, copy ? copy : pc, copy != NULL);
        run->fault = fault;
    }
    redirect_to_exit(context, CURRENT_BLOCK->worker);
}

SOFTGPU_TLS const void *softgpu_announced_store;

/* Is an announced store about to be executed?  A loop in which every signal
 * arrives there is preempted all the same. */
static bool is_before_store(const void *pc)
{
    enum { MOST_BYTES = 64, MOST_IN_A_ROW = 1000 };
    static SOFTGPU_TLS int in_a_row;
    const uintptr_t past = (uintptr_t)pc - (uintptr_t)softgpu_announced_store;

    if (!softgpu_announced_store || past >= MOST_BYTES
        || ++in_a_row > MOST_IN_A_ROW)
        in_a_row = 0;
    return in_a_row > 0;
}

/* A signal that no thread of this process sent is the program's. */
static void forward_signal(int number, siginfo_t *info, void *context)
{
    if (old_preempt.sa_flags & SA_SIGINFO)
        old_preempt.sa_sigaction(number, info, context);
    else if (old_preempt.sa_handler != SIG_DFL
             && old_preempt.sa_handler != SIG_IGN)
        old_preempt.sa_handler(number);
}

/* The monitor preempts the running thread. */
static void on_preempt(int number, siginfo_t *info, void *context)
{
    if (info->si_code != SI_TKILL) {
        forward_signal(number, info, context);
        return;
    }
    const void *pc = signal_pc(context);
    struct softgpu_thread *me = CURRENT_THREAD;
    /* no thread: between two stacks, in code that the switch calls */
    if (!CURRENT_BLOCK || !me || !softgpu_is_program_code(pc))
        return;
    if (atomic_load(&CURRENT_BLOCK->worker->run->error)) {
        redirect_to_exit(context, CURRENT_BLOCK->worker);
        return;
    }
    /* one that waits: the scheduler was interrupted in code that it called (a
     * linkage stub, a hook) */
    if (!is_runnable(me) || is_before_store(pc))
        return;
    const int saved = errno;
    me->site = pc;
    if (CURRENT_BLOCK->thread_loop) { /* the loop changes the indices */
        me->id = threadIdx;
        softgpu_release_batch(CURRENT_BLOCK);
    }
    softgpu_yield_thread(me, true);
    errno = saved;
}

void softgpu_fault_install_handlers(void)
{
    struct sigaction action = {.sa_sigaction = on_fatal_signal,
                               .sa_flags =
                                   SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (unsigned i = 0; i < FATAL_SIGNALS; i++) {
        struct sigaction old;
        sigaction(fatal_signals[i], &action, &old);
        if (!(old.sa_flags & SA_SIGINFO) || old.sa_sigaction != on_fatal_signal)
            old_handlers[i] = old;
    }
    action.sa_sigaction = on_preempt;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    sigaction(SOFTGPU_PREEMPT_SIGNAL, &action, &old_preempt);
}

void softgpu_fault_install_signal_stack(void)
{
    static SOFTGPU_TLS bool done;
    if (done)
        return;
    stack_t stack = {.ss_size = SIGNAL_STACK};
    stack.ss_sp = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    done = stack.ss_sp != MAP_FAILED && sigaltstack(&stack, NULL) == 0;
}
