/* SPDX-License-Identifier: MIT */
/* Starting a program: its descriptors, limits, user and session.
 *
 * Between fork and exec only async-signal-safe calls are made.  A failure
 * there comes back as an errno through a pipe that exec closes. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The descriptors of the child before they get their final numbers. */
struct plumbing {
    int image;       /* the executable: it may lie where the user cannot go */
    int nothing;     /* /dev/null */
    int channel[2];  /* ours, theirs */
    int out[2], err[2], failed[2]; /* read end, write end */
};

static void limit(int resource, rlim_t most)
{
    struct rlimit limits = {most, most};

    setrlimit(resource, &limits);
}

static void apply_limits(const struct limits *limits, bool own_user)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, limits->file);
    limit(RLIMIT_NOFILE, 1024);
    limit(RLIMIT_CPU, (rlim_t)(limits->seconds * 64) + 60);
    if (limits->address_space)
        limit(RLIMIT_AS, limits->address_space);
    if (own_user)
        limit(RLIMIT_NPROC, THREADS_MOST);
}

/* Gives up root.  In a container that maps few ids this fails: then the
 * tree watch alone bounds processes. */
static void drop_user(uid_t user)
{
    if (!user)
        return;
    if (syscall(SYS_setgroups, 0, NULL) || setresgid(user, user, user)
        || setresuid(user, user, user))
        return;
}

static void child(const struct program *program, const struct limits *limits,
                  const struct plumbing *ends, uid_t user)
{
    int places[5] = {ends->nothing, ends->out[1], ends->err[1],
                     program->channel ? ends->channel[1] : ends->nothing,
                     ends->image};
    sigset_t none;
    int failed, error;

    /* Out of the way first, so that dup2 below overwrites nothing needed. */
    failed = fcntl(ends->failed[1], F_DUPFD_CLOEXEC, 100);
    for (int i = 0; i < 5; i++)
        places[i] = fcntl(places[i], F_DUPFD_CLOEXEC, 100);
    for (int i = 0; i < 4; i++)
        dup2(places[i], i);
    if (!program->channel)
        close(3);
    fcntl(places[4], F_DUPFD_CLOEXEC, 200);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setsid();
    apply_limits(limits, user != 0);
    if (chdir(program->folder) == 0) {
        drop_user(user);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        syscall(SYS_close_range, 4, 99, 0);
        syscall(SYS_execveat, places[4], "", program->arguments,
                program->environment, AT_EMPTY_PATH);
    }
    error = errno;
    (void)!write(failed, &error, sizeof error);
    _exit(127);
}

static void close_all(struct plumbing *ends)
{
    int *all = (int *)ends;

    for (size_t i = 0; i < sizeof *ends / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
    memset(ends, 0xff, sizeof *ends);
}

static int keep(int *fd)
{
    int kept = *fd;

    *fd = -1;
    return kept;
}

static int open_ends(struct plumbing *ends, const struct program *program)
{
    memset(ends, 0xff, sizeof *ends);
    ends->image = open(program->path, O_RDONLY | O_CLOEXEC);
    ends->nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (ends->image < 0 || ends->nothing < 0 || pipe2(ends->out, O_CLOEXEC)
        || pipe2(ends->err, O_CLOEXEC) || pipe2(ends->failed, O_CLOEXEC)
        || (program->channel
            && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
                          ends->channel))) {
        int error = errno;

        close_all(ends);
        return error;
    }
    fcntl(ends->out[0], F_SETFL, O_NONBLOCK);
    fcntl(ends->err[0], F_SETFL, O_NONBLOCK);
    if (program->channel)
        fcntl(ends->channel[0], F_SETFL, O_NONBLOCK);
    return 0;
}

/* A user id that no other runner of this machine has at this time: derived
 * from our pid, and from which of our runners it is. */
static uid_t own_user(const struct limits *limits)
{
    static unsigned count;

    if (!limits->drop_user || geteuid() != 0)
        return 0;
    return 600000 + (unsigned)getpid() % 100000 * 16 + count++ % 16;
}

int process_start(struct process *process, const struct program *program,
                  const struct limits *limits)
{
    struct plumbing ends;
    int error = open_ends(&ends, program);
    uid_t user = own_user(limits);
    pid_t pid;

    *process = (struct process){.channel = -1, .limits = *limits,
                                .user = user, .out.fd = -1, .err.fd = -1};
    if (error)
        return error;
    if (user && chown(program->folder, user, user))
        user = process->user = 0;
    pid = fork();
    if (pid == 0)
        child(program, limits, &ends, user);
    if (pid < 0) {
        error = errno;
        close_all(&ends);
        return error;
    }
    tree_know(pid, true);
    process->pid = pid;
    process->channel = keep(&ends.channel[0]);
    process->out.fd = keep(&ends.out[0]);
    process->err.fd = keep(&ends.err[0]);
    close(keep(&ends.failed[1]));
    if (read(ends.failed[0], &error, sizeof error) != sizeof error)
        error = 0;
    close_all(&ends);
    if (error)
        process_stop(process, 0);
    return error;
}
