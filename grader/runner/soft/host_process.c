/* SPDX-License-Identifier: MIT */
/* The host process: it runs the submission's host code and makes its runtime
 * calls through slots. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "common/softgpu/core/core.h"
#include "common/softgpu/core/hooks.h"
#include "common/softgpu/core/symbols.h"
#include "common/softgpu/host/remote.h"
#include "grader/channel/message.h"
#include "grader/runner/thunk.h"
#include "process.h"

enum { DEVICE = 1, HOST = 2 }; /* whose turn it is */

/* The static initializers of the submission (softcc --graded). */
typedef void initializer(void);
extern initializer *const __start_warp_host_init[] __attribute__((weak));
extern initializer *const __stop_warp_host_init[] __attribute__((weak));

bool remote_is_host;
static _Thread_local struct slot *own_slot;

/* The slots of threads that have ended. */
static struct {
    struct slot *slot[SLOTS];
    unsigned count;
    pthread_key_t key; /* of a thread: its slot */
    pthread_once_t once;
    pthread_mutex_t lock;
} left = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

/* This thread ends; another destructor may still make a call. */
static void leave_slot(void *slot)
{
    own_slot = NULL;
    pthread_mutex_lock(&left.lock);
    left.slot[left.count++] = slot;
    pthread_mutex_unlock(&left.lock);
}

static void create_key(void)
{
    if (pthread_key_create(&left.key, leave_slot))
        abort();
}

/* A slot that was left, or NULL. */
static struct slot *take_left_slot(void)
{
    struct slot *slot = NULL;

    pthread_mutex_lock(&left.lock);
    if (left.count)
        slot = left.slot[--left.count];
    pthread_mutex_unlock(&left.lock);
    if (slot) {
        slot->request = SLOT_NEW_THREAD;
        slot_pass(slot, DEVICE);
        slot_wait(slot, HOST);
    }
    return slot;
}

static struct slot *take_next_slot(void)
{
    const uint32_t index = atomic_fetch_add(&shared->threads, 1);

    if (index >= SLOTS)
        abort(); /* far more threads at once than a lab needs */
    syscall(SYS_futex, &shared->threads, 1 /* FUTEX_WAKE */, 1, NULL, NULL, 0);
    return &shared->slot[index];
}

/* The slot of this thread; a new thread takes one that another left, or the
 * next one. */
static struct slot *find_slot(void)
{
    if (!own_slot) {
        struct slot *slot = take_left_slot();

        own_slot = slot ? slot : take_next_slot();
        pthread_once(&left.once, create_key);
        pthread_setspecific(left.key, own_slot);
    }
    return own_slot;
}

/* One call of the lab's function. */
static uint64_t run_lab(void)
{
    const uint64_t result = (uint64_t)runner_call(&shared->frame);

    fflush(stdout); /* to be shown with this call */
    return result;
}

/* Do what the device process asks for in the middle of a call. */
static void run_request(struct slot *slot)
{
    const struct softgpu_host_command host = slot->host;

    if (slot->request == SLOT_RUN_LAB)
        slot->result = run_lab();
    else if (host.fn)
        host.fn(host.data);
    else
        host.callback(host.stream, (cudaError_t)slot->failure, host.data);
    slot->request = SLOT_DONE;
}

/* Ask, and serve until the answer comes. */
static void ask(struct slot *slot)
{
    slot_pass(slot, DEVICE);
    slot_wait(slot, HOST);
    while (slot->request != SLOT_RETURN) {
        run_request(slot);
        slot_pass(slot, DEVICE);
        slot_wait(slot, HOST);
    }
}

uint64_t remote_call(const struct remote_function *function,
                     const struct remote_arguments *arguments,
                     const void *site)
{
    struct slot *slot = find_slot();

    slot->request = SLOT_CALL;
    slot->function = (uint64_t)function;
    slot->site = (uint64_t)site;
    slot->host_ns = softgpu_hooks && softgpu_hooks->host_ns
                        ? softgpu_hooks->host_ns() : 0;
    slot->arguments = *arguments;
    ask(slot);
    return slot->result;
}

/* Findings are collected in the device process. */
static void forward_finding(const struct host_finding *finding)
{
    struct slot *slot = find_slot();

    slot->request = SLOT_FINDING;
    slot->finding = *finding;
    ask(slot);
}

/* The environment is empty here, so there is nothing to find; but a program
 * that looks for the runtime's settings wants to know how it is graded. */
char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);
char *__wrap_getenv(const char *name)
{
    static const char prefix[] = "SOFTGPU_";

    if (remote_is_host && is_host_text(__builtin_return_address(0))
        && !strncmp(name, prefix, sizeof prefix - 1))
        atomic_fetch_add(&shared->settings, 1);
    return __real_getenv(name);
}

/* The stack pointer where a signal came. */
static uintptr_t stack_pointer_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

/* An access just below the stack ends the process by another signal, which
 * the grader explains; any other faults again, and has its default effect, as
 * has the signal that the device process sends. */
static void on_fault(int signal, siginfo_t *info, void *context)
{
    enum { FRAME = 1 << 16 }; /* of the function that was called last */
    const uintptr_t at = (uintptr_t)info->si_addr;
    const uintptr_t sp = stack_pointer_of(context);

    if (info->si_code > 0 && at - (sp - FRAME) < 2 * FRAME)
        signal = SIGSTKFLT;
    if (info->si_code <= 0 || signal == SIGSTKFLT)
        kill(getpid(), signal);
}

/* The lab is called on this thread. */
static void watch_stack(void)
{
    static char memory[1 << 16];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    const struct sigaction action = {
        .sa_sigaction = on_fault,
        .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};

    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
}

/* Nothing of the device process but its outputs. */
static void drop_descriptors(void)
{
    const int null = open("/dev/null", O_RDWR);

    if (null != CHANNEL_FD)
        dup2(null, CHANNEL_FD); /* a number that nothing else gets */
    syscall(SYS_close_range, CHANNEL_FD + 1, ~0u, 0);
    clearenv();
}

/* Constructors of the submission run here, not in the device process. */
static void run_initializers(void)
{
    for (initializer *const *f = __start_warp_host_init;
         f < __stop_warp_host_init; f++)
        (*f)();
}

/* Kernels and variables, described to the device process. */
static void export_registrations(void)
{
    size_t count;

    shared->kernels = (uint64_t)softgpu_kernels();
    shared->symbols = (uint64_t)softgpu_symbols();
    shared->symbols_incomplete = (uint32_t)softgpu_has_unlisted_symbols();
    shared->variables = (uint64_t)softgpu_shared_variables(&count);
    shared->variable_count = count;
}

void host_main(void)
{
    struct slot *slot = find_slot();

    remote_is_host = true;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 1); /* the device process reads our memory */
    drop_descriptors();
    softgpu_memory_open_shared();
    runner_forward_findings(forward_finding);
    watch_stack();
    hide_other_processes();
    filter_host_calls();
    slot->request = SLOT_CALL; /* of nothing: our memory can be read now */
    slot->function = 0;
    ask(slot);
    run_initializers();
    export_registrations();
    softgpu_has_no_device = 1;
    slot->request = SLOT_DONE; /* ready */
    for (;;) {
        slot_pass(slot, DEVICE);
        slot_wait(slot, HOST);
        run_request(slot);
    }
}
