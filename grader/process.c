/* SPDX-License-Identifier: MIT */
/* Another program under limits: waiting for it, taking in its output, ending
 * it.  How it is started is in process_start.c. */
#include "process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void on_signal(int signal)
{
    caught = signal;
}

bool interrupted(void)
{
    return caught != 0;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#ifndef __SANITIZE_ADDRESS__ /* the leak check traces its own process */
    prctl(PR_SET_DUMPABLE, 0); /* a runner of our user cannot read our memory */
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

    if (clock_getcpuclockid(process->pid, &clock)
        || clock_gettime(clock, &at))
        return 0;
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

void process_mark(struct process *process)
{
    process->since = clock_seconds();
    process->cpu_since = process_cpu(process);
}

bool kept_waiting(double wall, double cpu, double limit)
{
    return cpu < limit && cpu > 0.1 * wall && wall < 4 * limit;
}

/* Has the deadline passed?  On a machine that is busy with others' work the
 * clock alone would tell the weather, not the program. */
static bool is_late(const struct process *process, double left)
{
    return left <= 0
           && !(process->since > 0
                && kept_waiting(clock_seconds() - process->since,
                                process_cpu(process) - process->cpu_since,
                                process->limits.seconds));
}

static void capture_close(struct capture *capture)
{
    if (capture->fd >= 0)
        close(capture->fd);
    capture->fd = -1;
}

/* Reads once.  Returns false when the cap is reached. */
static bool capture_read(struct capture *capture)
{
    ssize_t got;

    if (!capture->text) {
        capture->text = malloc(CAPTURE_BYTES + 1);
        if (!capture->text)
            return false;
    }
    got = read(capture->fd, capture->text + capture->length,
               CAPTURE_BYTES - capture->length);
    if (got < 0)
        return true; /* EAGAIN, EINTR: nothing there now */
    if (got == 0)
        capture_close(capture);
    capture->length += (size_t)got;
    capture->text[capture->length] = 0;
    return capture->length < CAPTURE_BYTES;
}

/* Asks the kernel for the tree: its root each time, all of it now and then
 * because that reads all of /proc. */
static enum waited inspect(struct process *process)
{
    const struct limits *limits = &process->limits;
    struct tree tree = {0};

    if (!limits->memory)
        return WAIT_READY;
    if (process->tick++ % 8 == 4)
        tree_all(process->pid, &tree);
    else
        tree_root(process->pid, &tree);
    if (tree.resident > process->peak_memory)
        process->peak_memory = tree.resident;
    if (tree.processes > limits->processes || tree.threads > THREADS_MOST)
        return WAIT_CROWD; /* first: forks count the same pages again */
    if (tree.resident > limits->memory)
        return WAIT_MEMORY;
    return WAIT_READY;
}

static bool outputs_closed(const struct process *process)
{
    return process->out.fd < 0 && process->err.fd < 0;
}

/* One poll of at most 20 ms.  Returns what it found, or -1 for nothing. */
static int wait_once(struct process *process, short events, double deadline)
{
    struct pollfd polled[3] = {{process->channel, events, 0},
                               {process->out.fd, POLLIN, 0},
                               {process->err.fd, POLLIN, 0}};
    double left = deadline - clock_seconds();
    int ready;

    if (interrupted())
        return WAIT_INTERRUPTED;
    if (is_late(process, left))
        return WAIT_TIME;
    ready = poll(polled, 3,
                 left > 0 && left < 0.02 ? (int)(left * 1000) + 1 : 20);
    if (ready == 0) {
        enum waited found = inspect(process);

        return found == WAIT_READY ? -1 : (int)found;
    }
    if (ready < 0)
        return -1;
    if ((polled[1].revents && !capture_read(&process->out))
        || (polled[2].revents && !capture_read(&process->err)))
        return WAIT_FLOOD;
    return polled[0].revents ? WAIT_READY : -1;
}

enum waited process_wait(struct process *process, short events,
                         double deadline)
{
    for (;;) {
        int found = wait_once(process, events, deadline);

        if (found >= 0)
            return (enum waited)found;
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
            if (!capture_read(both[i]))
                break;
    }
}

int process_stop(struct process *process, double patience)
{
    double deadline = clock_seconds() + patience;
    int status = 0;
    pid_t ended;

    if (process->pid <= 0)
        return 0;
    while ((ended = wait4(process->pid, &status, WNOHANG, &process->usage))
               == 0
           && clock_seconds() < deadline && !interrupted())
        usleep(1000);
    kill(-process->pid, SIGKILL);
    if (ended == 0)
        wait4(process->pid, &status, 0, &process->usage);
    tree_know(process->pid, false);
    tree_sweep(process->pid, process->user);
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
    enum waited waited;

    if (error)
        return -error;
    waited = process_wait(process, 0, clock_seconds() + limits->seconds);
    *status = process_stop(process, waited == WAIT_ENDED ? 1 : 0);
    return waited;
}
