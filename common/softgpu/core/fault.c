/* SPDX-License-Identifier: MIT */
/** @file
 *  A crash inside a kernel, a failed assert, a trap, a block that is stuck:
 *  note who and where, and leave the fiber for the worker's native stack.
 *  Outside kernels every signal means what it meant before.
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

#include "fence.h"
#include "fiber.h"
#include "monitor.h"
#include "operand.h"

enum { SIGNAL_STACK = 64 << 10 };

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };
static struct sigaction before[CRASHES];

bool softgpu_fault_claim(struct run *run, int error)
{
    int none = 0;
    return atomic_compare_exchange_strong(&run->error, &none, error);
}

void softgpu_fault_here(struct fault *fault, const void *pc, bool returns)
{
    const struct softgpu_block *b = CURRENT_BLOCK;
    fault->pc = pc;
    fault->returns = returns;
    fault->block = blockIdx;
    fault->linear = b->linear + blockIdx.x - b->index.x;
    fault->thread = CURRENT_THREAD->id;
    fault->replay = b->whole;
    fault->in_thread = true;
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
    if (!softgpu_text_is_user(pc)) /* the runtime's: who called it? */
        pc = CURRENT_THREAD->site;
    if (softgpu_fault_claim(run, error)) {
        vsnprintf(run->fault.text, sizeof run->fault.text, format, args);
        softgpu_fault_here(&run->fault, pc, true);
    }
    va_end(args);
    softgpu_abandon();
}

static void add_site(struct fault *fault, const void *pc)
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

void softgpu_fail_stuck(struct softgpu_block *b)
{
    struct run *run = b->worker->run;
    if (softgpu_fault_claim(run, SOFTGPU_LAUNCH_TIMEOUT)) {
        struct fault *fault = &run->fault;
        for (uint32_t i = 0; i < b->count; i++)
            if (b->threads[i].sp)
                add_site(fault, b->threads[i].site);
        if (CURRENT_THREAD->word != &softgpu_never)
            add_site(fault, CURRENT_THREAD->site);
        fault->block = b->index;
        snprintf(fault->text, sizeof fault->text,
                 "block (%u,%u,%u) can never go on: ", b->index.x, b->index.y,
                 b->index.z);
    }
    softgpu_abandon();
}

/* --- device assert ------------------------------------------------------- */

/* Takes the place of libc's in the program: in a kernel, CUDA's words. */
void __assert_fail(const char *condition, const char *file, unsigned line,
                   const char *function)
{
    if (!CURRENT_BLOCK) {
        fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n",
                program_invocation_short_name, file, line, function,
                condition);
        abort();
    }
    const uint3 b = blockIdx, t = threadIdx; /* also in a loop */
    fflush(stdout);
    fprintf(stderr,
            "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] "
            "Assertion `%s` failed.\n",
            file, line, function, b.x, b.y, b.z, t.x, t.y, t.z, condition);
    struct run *run = CURRENT_BLOCK->worker->run;
    if (softgpu_fault_claim(run, SOFTGPU_ASSERT)) {
        softgpu_fault_here(&run->fault, __builtin_return_address(0), true);
        run->fault.replay = false;
        run->fault.said = true;
        snprintf(run->fault.text, sizeof run->fault.text,
                 "assertion `%s` failed", condition);
    }
    softgpu_abandon();
}

/* --- signals ------------------------------------------------------------- */

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

/* The runtime, a watcher or the C library crashed: where in the program was it
 * called?  The first word up the thread's stack that is an address there. */
static const void *caller(const ucontext_t *context)
{
    const struct stack *s = CURRENT_THREAD->stack;
    const char *sp = signal_sp(context);
    if (!s || !sp || sp >= (const char *)s->top)
        return NULL;
    sp = sp < s->base ? s->base : sp; /* it ran over */
    const void *const *word = (const void *const *)((size_t)sp & ~(size_t)7);
    while ((const void *)word < s->top && !softgpu_text_is_user(*word))
        word++;
    return (const void *)word < s->top ? *word : NULL;
}

/* Let the interrupted code go on in softgpu_abandon(), on unused bytes below
 * the frame that the worker's native stack ends with. */
static void resume_in_abandon(ucontext_t *context, const struct worker *w)
{
    const size_t below = ((size_t)w->native - 512) & ~(size_t)15;
#if defined(__x86_64__)
    context->uc_mcontext.gregs[REG_RSP] = (greg_t)(below - 8);
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)(size_t)softgpu_abandon;
#elif defined(__aarch64__)
    context->uc_mcontext.sp = below;
    context->uc_mcontext.pc = (size_t)softgpu_abandon;
#else
    (void)context;
    (void)below;
    (void)w;
    softgpu_abandon();
#endif
}

/* An address that is none, or misaligned: the kernel does not say which. */
static int classify_refused(const ucontext_t *context, struct fault *fault)
{
    uintptr_t address = 0;
    const bool known = softgpu_operand(context, &address);
    const intptr_t high = (intptr_t)address >> 47; /* all bits must agree */
    if (known && high != 0 && high != -1) {
        snprintf(fault->text, sizeof fault->text, "illegal address %p",
                 (void *)address);
        return SOFTGPU_ILLEGAL_ADDRESS;
    }
    if (known)
        snprintf(fault->text, sizeof fault->text, "misaligned address %p",
                 (void *)address);
    else
        snprintf(fault->text, sizeof fault->text,
                 "misaligned address, or one far outside memory");
    return SOFTGPU_MISALIGNED_ADDRESS;
}

/* Shared memory that ran over met its fence. */
static bool is_beside_shared(const void *address, char *text, size_t bytes)
{
    const long off = softgpu_shared_beside(CURRENT_BLOCK, address);

    if (off)
        snprintf(text, bytes, "illegal address, %s the block's shared memory",
                 off > 0 ? "past the end of" : "before the begin of");
    return off != 0;
}

static int classify(int number, const siginfo_t *info,
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
        if (is_beside_shared(info->si_addr, text, bytes))
            return SOFTGPU_ILLEGAL_ADDRESS;
        snprintf(text, bytes, in_stack ? "stack overflow at %p"
                                       : "illegal address %p", info->si_addr);
        return in_stack ? SOFTGPU_STACK_ERROR : SOFTGPU_ILLEGAL_ADDRESS;
    }
    return classify_refused(context, fault);
}

static void restore_handler(int number)
{
    for (unsigned i = 0; i < CRASHES; i++)
        if (crashes[i] == number)
            sigaction(number, &before[i], NULL);
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    if (!CURRENT_BLOCK) { /* the host's: once more, with the old handler */
        restore_handler(number);
        return;
    }
    struct run *run = CURRENT_BLOCK->worker->run;
    struct fault fault = {.pc = NULL};
    const int error = classify(number, info, context, &fault);
    const void *copy = softgpu_copy_site;
    softgpu_copy_site = NULL;
    const void *pc = signal_pc(context);
    if (!copy && !softgpu_text_is_user(pc))
        copy = caller(context);
    if (softgpu_fault_claim(run, error)) {
        softgpu_fault_here(&fault, copy ? copy : pc, copy != NULL);
        run->fault = fault;
    }
    resume_in_abandon(context, CURRENT_BLOCK->worker);
}

/* From the monitor: another thread or block should have a turn. */
static void on_preempt(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    const void *pc = signal_pc(context);
    struct softgpu_thread *me = CURRENT_THREAD;
    if (!CURRENT_BLOCK || !softgpu_text_is_user(pc))
        return;
    if (atomic_load(&CURRENT_BLOCK->worker->run->error)) {
        resume_in_abandon(context, CURRENT_BLOCK->worker);
        return;
    }
    /* one that waits, or none: the core is at work, and was interrupted in
     * what it called (a linkage stub, a hook) */
    if (!me || !is_runnable(me))
        return;
    const int saved = errno;
    me->site = pc;
    if (CURRENT_BLOCK->whole) { /* its loop moves these itself */
        me->id = threadIdx;
        softgpu_block_end_row(CURRENT_BLOCK);
    }
    softgpu_give_way(me, true);
    errno = saved;
}

void softgpu_fault_install(void)
{
    struct sigaction action = {.sa_sigaction = on_crash,
                               .sa_flags =
                                   SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (unsigned i = 0; i < CRASHES; i++) {
        struct sigaction old;
        sigaction(crashes[i], &action, &old);
        if (!(old.sa_flags & SA_SIGINFO) || old.sa_sigaction != on_crash)
            before[i] = old;
    }
    action.sa_sigaction = on_preempt;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    sigaction(SOFTGPU_PREEMPT_SIGNAL, &action, NULL);
}

void softgpu_fault_stack(void)
{
    static SOFTGPU_TLS bool done;
    if (done)
        return;
    stack_t stack = {.ss_size = SIGNAL_STACK};
    stack.ss_sp = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    done = stack.ss_sp != MAP_FAILED && sigaltstack(&stack, NULL) == 0;
}
