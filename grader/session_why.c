/* SPDX-License-Identifier: MIT */
/* Why a conversation ended too early: from the clock, the wait status and the
 * memory that the kernel counted. */
#include "session_why.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void say(struct answer *answer, enum verdict verdict,
                const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct answer *answer, enum verdict verdict,
                const char *format, ...)
{
    va_list arguments;

    answer->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(answer->message, sizeof answer->message, format, arguments);
    va_end(arguments);
}

static const char *signal_words(int number)
{
    switch (number) {
    case SIGSEGV:
        return "it used memory that is not its own (SIGSEGV): a host pointer "
               "that is NULL, freed or out of range, or a pointer to device "
               "memory, which is for kernels alone; or a kernel wrote beyond "
               "a shared or local array";
    case SIGBUS:
        return "it used memory that is not there (SIGBUS)";
    case SIGABRT:
        return "it called abort(): an assert failed or the heap was damaged "
               "(SIGABRT)";
    case SIGFPE:
        return "it divided a whole number by zero (SIGFPE)";
    case SIGILL:
        return "it ran an illegal instruction (SIGILL): a function without a "
               "return statement?";
    default:
        return strsignal(number);
    }
}

/* With it the watchers end a program that they found something in. */
enum { WATCHERS_EXIT = 86 };

/* The runner's end was seen as a closed channel. */
static void explain_exit(const struct process *process, int status,
                         struct answer *answer)
{
    size_t memory = process->limits.memory;
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    if (memory && process->peak_memory > memory)
        say(answer, MEMORY, "used %zu MiB of memory; %zu MiB are allowed",
            process->peak_memory >> 20, memory >> 20);
    else if (number == SIGXFSZ)
        say(answer, OUTPUT, "wrote a file larger than %zu MiB",
            process->limits.file >> 20);
    else if (number == SIGXCPU)
        say(answer, TIMEOUT, "used up all its processor time");
    else if (number == SIGKILL)
        say(answer, CRASHED,
            "closed the grader's channel, or was killed (SIGKILL)");
    else if (number)
        say(answer, CRASHED, "crashed on the host: %s", signal_words(number));
    else if (WEXITSTATUS(status) == WATCHERS_EXIT)
        say(answer, CRASHED, "stopped in the middle of the call: the host used "
            "memory that is not its own, or called exit(%d)", WATCHERS_EXIT);
    else if (WEXITSTATUS(status) == 4)
        say(answer, INTERNAL, "the runner has no memory for the arrays");
    else
        say(answer, CRASHED,
            "ended the whole program with exit(%d) in the middle of the call; "
            "return the error instead",
            WEXITSTATUS(status));
}

void explain_end(struct process *process, int why, struct answer *answer)
{
    double patience = why == WAIT_ENDED ? 0.5 : 0;
    int status = process_stop(process, patience);

    switch (why) {
    case WAIT_ENDED:
        explain_exit(process, status, answer);
        break;
    case WAIT_TIME:
        say(answer, TIMEOUT,
            "did not return within %g s: an endless loop, a barrier that some "
            "threads never reach, or far too much work",
            process->limits.seconds);
        break;
    case WAIT_FLOOD:
        say(answer, OUTPUT, "printed more than %d KiB; remove the printf",
            CAPTURE_BYTES >> 10);
        break;
    case WAIT_MEMORY:
        say(answer, MEMORY, "used more than %zu MiB of memory",
            process->limits.memory >> 20);
        break;
    case WAIT_CROWD:
        say(answer, CRASHED,
            "started more than %u processes or %d threads; a lab needs none",
            process->limits.processes, THREADS_MOST);
        break;
    case WHY_GARBAGE:
        say(answer, CRASHED, "wrote on the grader's channel");
        snprintf(answer->review, sizeof answer->review,
                 "bytes on the channel that are no message");
        break;
    case WHY_LATE:
        say(answer, WRONG, "the output was changed after the call returned");
        snprintf(answer->review, sizeof answer->review,
                 "outputs do not match their digest");
        break;
    default:
        say(answer, INTERNAL, "interrupted, or out of memory");
        break;
    }
}

char *const *runner_environment(const char *report, unsigned order)
{
    /* The soft device's knobs, and where the GPU's libraries are; nothing
     * else of our environment is a runner's business. */
    static const char *const names[] = {
        "SOFTGPU_SEED", "SOFTGPU_THREADS", "SOFTGPU_CARD", "SOFTGPU_DEVICES",
        "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"};
    enum { COUNT = sizeof names / sizeof *names };
    static char texts[COUNT][512];
    static char *environment[COUNT + 5], path[PATH_MAX + 16], seed[32];
    size_t used = 0;

    environment[used++] = "SOFTGPU_POISON=1";
    environment[used++] = "SOFTGPU_EXPLAIN=1"; /* why a launch is refused */
    if (report) { /* by its name: the folders above may be closed to others */
        const char *name = strrchr(report, '/');

        snprintf(path, sizeof path, "SOFTGPU_JSON=%s",
                 name ? name + 1 : report);
        environment[used++] = path;
    }
    if (order) {
        snprintf(seed, sizeof seed, "SOFTGPU_SEED=%u", order);
        environment[used++] = seed;
    }
    for (size_t i = order != 0; i < COUNT; i++) {
        const char *value = getenv(names[i]);

        if (!value)
            continue;
        snprintf(texts[i], sizeof *texts, "%s=%s", names[i], value);
        environment[used++] = texts[i];
    }
    environment[used] = NULL;
    return environment;
}
