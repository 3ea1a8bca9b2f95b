/* SPDX-License-Identifier: MIT */
/* Why a runner ended during a call: from the clock, the wait status and the
 * memory that the kernel counted. */
#include "session_end.h"
#include "common/base/sandbox.h"
#include "running_line.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void set_reply(struct reply *reply, enum verdict verdict,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set_reply(struct reply *reply, enum verdict verdict,
                      const char *format, ...)
{
    va_list arguments;

    reply->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(reply->message, sizeof reply->message, format, arguments);
    va_end(arguments);
}

static const char *describe_signal(int number)
{
    switch (number) {
    case SIGSEGV:
        return "invalid memory access (SIGSEGV): a host pointer that is NULL, "
               "freed or out of range, a pointer to device memory, which only "
               "kernels may access, or a kernel wrote out of bounds of a "
               "shared or local array";
    case SIGSTKFLT: /* host_process.c */
        return "its stack overflowed: a recursion without an end, or a large "
               "local array";
    case SIGBUS:
        return "it accessed memory that does not exist (SIGBUS)";
    case SIGABRT:
        return "it called abort(): an assert failed or the heap was damaged "
               "(SIGABRT)";
    case SIGFPE:
        return "it divided an integer by zero (SIGFPE)";
    case SIGILL:
        return "it ran an illegal instruction (SIGILL): a function without a "
               "return statement?";
    default:
        return strsignal(number);
    }
}

/* Exit status of an instrumented program with findings. */
enum { CHECK_EXIT_STATUS = 86 };

/* The channel was closed: the runner has ended. */
static void explain_exit(const struct process *process, int status,
                         struct reply *reply)
{
    size_t memory = process->limits.memory;
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    if (process->over_memory)
        set_reply(reply, MEMORY, "used more than %zu MiB of memory",
                  memory >> 20);
    else if (memory && process->peak_memory > memory)
        set_reply(reply, MEMORY, "used %zu MiB of memory; %zu MiB are allowed",
                  process->peak_memory >> 20, memory >> 20);
    else if (number == SIGXFSZ)
        set_reply(reply, OUTPUT, "wrote a file larger than %zu MiB",
                  process->limits.file >> 20);
    else if (number == SIGXCPU)
        set_reply(reply, TIMEOUT, "exceeded its processor time");
    else if (number == SIGKILL)
        set_reply(reply, CRASHED,
                  "closed the grader's channel, or was killed (SIGKILL)");
    else if (number)
        set_reply(reply, CRASHED, "crashed on the host: %s",
                  describe_signal(number));
    else if (WEXITSTATUS(status) == CHECK_EXIT_STATUS)
        set_reply(reply, CRASHED,
                  "ended during the call: the host accessed invalid memory, "
                  "or called exit(%d)",
                  CHECK_EXIT_STATUS);
    else
        set_reply(reply, CRASHED,
                  "called exit(%d) during the call; return the error "
                  "instead",
                  WEXITSTATUS(status));
}

/* "; it was running at add.cu:12", or nothing.  A signal that arrived does not
 * stop this. */
static void describe_line(const struct session *session, int end_reason,
                          char *where, size_t bytes)
{
    char line[128];
    int signal;

    *where = 0;
    if (end_reason != WAIT_TIMEOUT && end_reason != WAIT_INTERRUPTED)
        return;
    signal = interrupt_set(0);
    find_running_line(&session->process, session->runner, session->folder,
                      line, sizeof line);
    if (!interrupted())
        interrupt_set(signal);
    if (*line)
        snprintf(where, bytes, "; it was running at %s", line);
}

/* Why a person should look at the submission. */
static void set_review(struct reply *reply, const char *reason)
{
    snprintf(reply->review, sizeof reply->review, "%s", reason);
}

/* A limit that the runner reached. */
static void explain_limit(const struct limits *limits, int end_reason,
                          const char *where, struct reply *reply)
{
    switch (end_reason) {
    case WAIT_TIMEOUT:
        set_reply(
            reply, TIMEOUT,
            "did not return within %g s%s: an endless loop, a barrier that "
            "some threads never reach, or far too much work",
            limits->seconds, where);
        break;
    case WAIT_OUTPUT_LIMIT:
        set_reply(reply, OUTPUT, "printed more than %d KiB: a printf, or a "
                  "CUDA_CHECK that fails, in a loop or in many threads?",
                  CAPTURE_BYTES >> 10);
        break;
    case WAIT_MEMORY_LIMIT:
        set_reply(reply, MEMORY, "used more than %zu MiB of memory",
                  limits->memory >> 20);
        break;
    default: /* WAIT_PROCESS_LIMIT */
        set_reply(
            reply, CRASHED,
            "started more than %u processes or %d threads; a lab needs none",
            limits->processes, MAX_THREADS);
        break;
    }
}

void session_explain_end(struct session *session, int end_reason,
                         struct reply *reply)
{
    struct process *process = &session->process;
    double grace_seconds = end_reason != WAIT_ENDED ? 0
                           : session->box           ? 2 /* ends all in it */
                                                    : 0.5;
    char where[160];
    int status;

    describe_line(session, end_reason, where, sizeof where);
    status = process_stop(process, grace_seconds);

    switch (end_reason) {
    case WAIT_ENDED:
        explain_exit(process, status, reply);
        break;
    case WAIT_TIMEOUT:
    case WAIT_OUTPUT_LIMIT:
    case WAIT_MEMORY_LIMIT:
    case WAIT_PROCESS_LIMIT:
        explain_limit(&process->limits, end_reason, where, reply);
        break;
    case WAIT_INTERRUPTED:
        set_reply(reply, INTERNAL, "interrupted%s", where);
        break;
    case END_PROTOCOL_ERROR:
        set_reply(reply, CRASHED, "wrote on the grader's channel");
        set_review(reply, "invalid bytes on the channel");
        break;
    case END_FOLDER_FULL:
        set_reply(reply, OUTPUT,
                  "filled its folder: %d MiB and %d files are allowed, and a "
                  "lab writes none", SCRATCH_MIB, SCRATCH_INODES);
        break;
    case END_DIGEST_MISMATCH:
        set_reply(reply, WRONG,
                  "the output was changed after the call returned");
        set_review(reply, "outputs do not match their digest");
        break;
    default:
        set_reply(reply, INTERNAL, "out of memory");
        break;
    }
}

/* Add NAME=NUMBER to an environment, unless the number is 0. */
static void add_number(char **environment, size_t *used, char text[40],
                       const char *name, unsigned number)
{
    if (!number)
        return;
    snprintf(text, 40, "%s=%u", name, number);
    environment[(*used)++] = text;
}

/* Add what the session asks of the runner, as constants. */
static void add_switches(const struct session *session, char **environment,
                         size_t *used)
{
    if (session->sparse)
        environment[(*used)++] = session->independent_blocks
                                     ? "SOFTGPU_SPARSE=2" : "SOFTGPU_SPARSE=1";
    if (session->sampled) { /* events in millions */
        environment[(*used)++] = "SOFTGPU_CHECK_THREADS=2048";
        environment[(*used)++] = "SOFTGPU_PROFILE_EVENTS=0.03125";
    } else if (session->report) { /* budgets need the counts of all blocks */
        environment[(*used)++] = "SOFTGPU_PROFILE_EVENTS=1024";
    }
    if (session->compares_threads)
        environment[(*used)++] = "SOFTGPU_EXECUTIONS=1";
    if (session->unchecked && !session->sampled)
        environment[(*used)++] = "SOFTGPU_CHECK_THREADS=1";
    if (session->uncounted || session->interleave_seed)
        environment[(*used)++] = "SOFTGPU_PROFILE=0"; /* counts have no use */
}

char *const *runner_environment(const struct session *session)
{
    /* Settings of the soft device, and the libraries of the GPU; a runner
     * gets nothing else of our environment. */
    static const char *const names[] = {
        "SOFTGPU_SEED", "SOFTGPU_THREADS", "SOFTGPU_CARD", "SOFTGPU_DEVICES",
        "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"};
    enum { COUNT = sizeof names / sizeof *names };
    static char texts[COUNT][512];
    static char *environment[COUNT + 14], path[PATH_MAX + 16];
    static char interleave[40], multiprocessors[40], seed[40], memory[40];
    const char *report = session->report;
    const unsigned schedule_seed = session->schedule_seed;
    size_t used = 0;

    environment[used++] = "SOFTGPU_POISON=1";
    environment[used++] = "SOFTGPU_TF32=1"; /* where the math mode allows it */
    environment[used++] = "SOFTGPU_EXPLAIN=1"; /* explain refused launches */
    environment[used++] = "SOFTGPU_PROGRESS=0"; /* one order of commands */
    if (report) { /* without folders, which may be closed to the user */
        const char *name = strrchr(report, '/');

        snprintf(path, sizeof path, "SOFTGPU_JSON=%s",
                 name ? name + 1 : report);
        environment[used++] = path;
    }
    add_switches(session, environment, &used);
    add_number(environment, &used, interleave, "SOFTGPU_INTERLEAVE",
               session->interleave_seed);
    add_number(environment, &used, multiprocessors, "SOFTGPU_SMS",
               session->multiprocessors);
    add_number(environment, &used, seed, "SOFTGPU_SEED", schedule_seed);
    add_number(environment, &used, memory, "SOFTGPU_HOST_MEMORY",
               (unsigned)(machine_available() >> 20));
    for (size_t i = schedule_seed != 0; i < COUNT; i++) {
        const char *value = getenv(names[i]);

        /* such a schedule is one thread's; others would meet in between */
        if (session->interleave_seed && !strcmp(names[i], "SOFTGPU_THREADS"))
            value = "1";
        if (!value)
            continue;
        snprintf(texts[i], sizeof *texts, "%s=%s", names[i], value);
        environment[used++] = texts[i];
    }
    environment[used] = NULL;
    return environment;
}
