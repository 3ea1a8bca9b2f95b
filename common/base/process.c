/* SPDX-License-Identifier: MIT */
/* A child program under limits: waiting for it, capturing its output, ending
 * it.  process_start.c starts it. */
#include "process.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proc_files.h"

static volatile sig_atomic_t caught_signal;

/* Only a flag is set: the loop that waits for programs reads it. */
static void on_signal(int signal)
{
    caught_signal = signal;
}

int interrupted(void)
{
    return caught_signal;
}

int interrupt_set(int signal)
{
    const int before = caught_signal;

    caught_signal = signal;
    return before;
}

void install_signal_handlers(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file beyond our own limit: a message */
}

#ifdef __SANITIZE_ADDRESS__ /* at exit the leak check traces its own process */
static void allow_tracing(void)
{
    prctl(PR_SET_DUMPABLE, 1);
}
#endif

void isolate_process(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_DUMPABLE, 0); /* a runner of our user cannot read our memory */
#ifdef __SANITIZE_ADDRESS__
    atexit(allow_tracing);
#endif
}

double clock_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double process_cpu(const struct process *process)
{
    struct timespec at = {0};
    clockid_t clock;

    if (clock_getcpuclockid(process->program, &clock)
        || clock_gettime(clock, &at))
        return 0;
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

void process_start_clock(struct process *process)
{
    process->delay_start = NAN; /* read by poll_once(): most calls are short */
    process->cpu_start = process_cpu(process);
    process->clock_start = clock_seconds();
}

bool is_starved(double wall, double starved, double limit)
{
    return wall - starved < limit && wall < MAX_EXTENSION * limit;
}

/* The deadline passed, and not because other programs use the processors. */
static bool deadline_passed(const struct process *process, double left)
{
    return left <= 0
           && !(process->clock_start > 0
                && is_starved(clock_seconds() - process->clock_start,
                              process_starved(process),
                              process->limits.seconds));
}

/* Safe to call twice: -1 marks a closed capture. */
static void capture_close(struct capture *capture)
{
    if (capture->fd >= 0)
        close(capture->fd);
    capture->fd = -1;
}

/* Make room for at least one block more, up to the cap. */
static bool capture_grow(struct capture *capture, size_t cap)
{
    size_t room = capture->room ? 2 * capture->room : 1 << 16;
    char *text;

    if (capture->length < capture->room)
        return true;
    room = room < cap ? room : cap;
    text = realloc(capture->text, room + 1);
    if (!text)
        return false;
    capture->text = text;
    capture->room = room;
    return true;
}

/* Read once.  @return false when the cap is reached */
static bool capture_read(struct capture *capture, const struct limits *limits)
{
    size_t cap = limits->output ? limits->output : CAPTURE_BYTES;
    ssize_t got;

    if (!capture_grow(capture, cap))
        return false;
    got = read(capture->fd, capture->text + capture->length,
               capture->room - capture->length);
    if (got < 0)
        return true; /* EAGAIN, EINTR: nothing there now */
    if (got == 0)
        capture_close(capture);
    capture->length += (size_t)got;
    capture->text[capture->length] = 0;
    return capture->length < cap;
}

/* Seconds between two looks at the machine and the root of the tree, and to the
 * first look at the root. */
static const double look_seconds = 0.02, root_seconds = 0.3;

/* Seconds of a call before process_tell_long_calls() has it told. */
static const double first_word = 2;

/* Seconds between two looks at the whole tree, which open some files of each
 * process: most programs have ended before the first one.  may_have_grown()
 * asks for one earlier, but not where another program frees as much memory as
 * this one takes. */
static const double check_seconds = 1;

/* May the tree have become too large since it was read last?  If so, the
 * machine has at least as many tasks more as the tree may have processes, or
 * has less free memory, unless other programs ended meanwhile. */
static bool may_have_grown(const struct process *process)
{
    const struct limits *limits = &process->limits;

    return machine_use_grew(&process->use, limits->processes,
                            limits->memory / 4);
}

/* Compares the tree with the limits, by the clock, however busy the program
 * keeps its outputs and its channel: its root each time but the first ones, all
 * of it now and then, and when the machine is used more than before. */
static enum wait_result check_limits(struct process *process)
{
    const struct limits *limits = &process->limits;
    const double now = clock_seconds();
    struct tree tree = {0};

    if (!process->next_look) {
        process->next_look = process->started + look_seconds;
        process->next_check = process->started + check_seconds;
    }
    if (!limits->memory || now < process->next_look)
        return WAIT_READY;
    process->next_look = now + look_seconds;
    if (now >= process->next_check || may_have_grown(process)) {
        tree_read(process->pid, &tree);
        process->use = machine_use_now();
        process->next_check = now + check_seconds;
    } else if (now - process->started >= root_seconds) {
        tree_read_root(process, &tree);
    }
    if (tree.resident > process->peak_memory)
        process->peak_memory = tree.resident;
    if (tree.processes > limits->processes || tree.threads > MAX_THREADS)
        return WAIT_PROCESS_LIMIT; /* first: forks count the same pages again */
    if (tree.resident > limits->memory)
        return WAIT_MEMORY_LIMIT;
    return WAIT_READY;
}

/* Have both pipes reached end of file? */
static bool outputs_closed(const struct process *process)
{
    return process->out.fd < 0 && process->err.fd < 0;
}

/* Seconds of a call after which its waiting is counted: that opens a file of
 * each thread, which costs more than most calls take. */
static double short_call(const struct limits *limits)
{
    const double most = 1;

    return limits->seconds < 8 * most ? limits->seconds / 8 : most;
}

/* Reading a delay costs several files of /proc, so it is measured from the
 * moment at which a call is known to be long. */
static void count_delay_of_long_call(struct process *process)
{
    if (process->clock_start > 0 && isnan(process->delay_start)
        && clock_seconds() - process->clock_start
               >= short_call(&process->limits))
        process->delay_start = process_delay(process);
}

static void (*tell_long_call)(double seconds, double limit);

void process_tell_long_calls(void (*tell)(double seconds, double limit))
{
    tell_long_call = tell;
}

static void tell(struct process *process)
{
    const double now = clock_seconds();

    if (!tell_long_call || !(process->clock_start > 0))
        return;
    if (process->next_word < process->clock_start + first_word)
        process->next_word = process->clock_start + first_word;
    if (now < process->next_word)
        return;
    process->next_word = now + 1;
    tell_long_call(now - process->clock_start - process_starved(process),
                   process->limits.seconds);
}

/* One poll() of at most 20 ms.  @return an enum wait_result, or -1 */
static int poll_once(struct process *process, short events, double deadline)
{
    struct pollfd polled[3] = {{process->channel, events, 0},
                               {process->out.fd, POLLIN, 0},
                               {process->err.fd, POLLIN, 0}};
    double left = deadline - clock_seconds();
    enum wait_result found;

    if (interrupted())
        return WAIT_INTERRUPTED;
    count_delay_of_long_call(process);
    tell(process);
    if (deadline_passed(process, left))
        return WAIT_TIMEOUT;
    if (poll(polled, 3, left > 0 && left < look_seconds
                        ? (int)(left * 1000) + 1 : 20) < 0)
        return -1;
    if ((found = check_limits(process)) != WAIT_READY)
        return (int)found;
    if ((polled[1].revents && !capture_read(&process->out, &process->limits))
        || (polled[2].revents
            && !capture_read(&process->err, &process->limits)))
        return WAIT_OUTPUT_LIMIT;
    return polled[0].revents ? WAIT_READY : -1;
}

enum wait_result process_wait(struct process *process, short events,
                              double deadline)
{
    for (;;) {
        int found = poll_once(process, events, deadline);

        if (found >= 0)
            return (enum wait_result)found;
        if (process->channel < 0 && outputs_closed(process))
            return WAIT_ENDED;
    }
}

void process_drain(struct process *process)
{
    struct capture *both[] = {&process->out, &process->err};

    for (int i = 0; i < 2; i++) {
        struct pollfd polled = {both[i]->fd, POLLIN, 0};

        while (both[i]->fd >= 0 && poll(&polled, 1, 0) > 0)
            if (!capture_read(both[i], &process->limits))
                break;
    }
}

/* Reap what a kill of the group has ended: the orphans of its root are our
 * children.  A compiler that still runs would write into a folder that we are
 * about to remove. */
static void reap_group(pid_t group)
{
    while (waitpid(-group, NULL, 0) > 0 || errno == EINTR)
        ;
}

int process_stop(struct process *process, double grace_seconds)
{
    double deadline = clock_seconds() + grace_seconds;
    int status = 0;
    pid_t ended;

    if (process->pid <= 0)
        return 0;
    while ((ended = wait4(process->pid, &status, WNOHANG, &process->usage))
           == 0
           && clock_seconds() < deadline && !interrupted())
        usleep(1000);
    if (process->confinement.leave)
        status = process->confinement.leave(process->confinement.state, process,
                                            ended != 0, status);
    kill(-process->pid, SIGKILL);
    if (ended == 0 && !process->confinement.leave)
        wait4(process->pid, &status, 0, &process->usage);
    reap_group(process->pid);
    tree_register(process->pid, false);
    if (process->limits.processes)
        tree_kill_orphans(process->user);
    proc_close_ended();
    process_drain(process);
    capture_close(&process->out);
    capture_close(&process->err);
    if (process->channel >= 0)
        close(process->channel);
    process->channel = -1;
    process->pid = 0;
    if ((size_t)process->usage.ru_maxrss * 1024 > process->peak_memory)
        process->peak_memory = (size_t)process->usage.ru_maxrss * 1024;
    return status;
}

void process_free(struct process *process)
{
    free(process->out.text);
    free(process->err.text);
    process->out = process->err = (struct capture){.fd = -1};
}

int process_run(struct process *process, const struct program *program,
                const struct limits *limits, int *status)
{
    int error = process_start(process, program, limits);
    double end = limits->seconds > 0 ? clock_seconds() + limits->seconds
                                     : HUGE_VAL;
    double grace = limits->seconds > 0 ? 1 : 60;
    enum wait_result result;

    if (error)
        return -error;
    result = process_wait(process, 0, end);
    *status = process_stop(process, result == WAIT_ENDED ? grace : 0);
    return result;
}
