/* SPDX-License-Identifier: MIT */
/* Starting a program: its descriptors, limits, user and session.
 *
 * Between fork and exec only async-signal-safe calls are made.  A failure
 * there comes back as an errno through a pipe that exec closes. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

/* Descriptors of the child before dup2() gives them their numbers. */
struct child_fds {
    int image; /* the executable: its folder may be closed to the user */
    int input; /* its stdin: a file in memory, or /dev/null */
    int null;  /* /dev/null */
    int channel[2];  /* ours, theirs */
    int out[2], err[2], error_pipe[2]; /* read end, write end */
};

/* Soft and hard limit together: the program cannot raise it again. */
static void set_limit(int resource, rlim_t most)
{
    struct rlimit limits = {most, most};

    setrlimit(resource, &limits);
}

/* CPU seconds are a last resort behind the timer of the grader, hence 64
 * threads' worth of them.  Processes are counted per user, so they are limited
 * only for a user of its own. */
static void apply_limits(const struct limits *limits, bool own_user)
{
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_NOFILE, 1024);
    if (limits->file)
        set_limit(RLIMIT_FSIZE, limits->file);
    if (limits->seconds > 0)
        set_limit(RLIMIT_CPU, (rlim_t)(limits->seconds * 64) + 60);
    if (limits->address_space)
        set_limit(RLIMIT_AS, limits->address_space);
    if (own_user)
        set_limit(RLIMIT_NPROC, MAX_THREADS);
}

/* No capability is left, nor can execve() give one back. */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {{0}};

    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &header, sets) == 0
           && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* Also where root was told to keep its capabilities (securebits). */
bool process_drop_privileges(uid_t user)
{
    uid_t real, effective, saved;

    if (user
        && (syscall(SYS_setgroups, 0, NULL) || setresgid(user, user, user)
            || setresuid(user, user, user)
            || getresuid(&real, &effective, &saved) || real != user
            || effective != user || saved != user))
        return false;
    return drop_capabilities();
}

/* A program that drops its user may not be able to go to where its file is:
 * then the open descriptor is executed, which scripts do not allow.  One that
 * keeps its user gets no other file than of its own namespace, where it cannot
 * be changed. */
static void execute(const struct program *program, int image, uid_t user)
{
    char *const *environment = program->environment ? program->environment
                                                    : environ;
    const bool is_open = user || program->confinement;

    if (program->by_descriptor && is_open)
        fcntl(image, F_SETFD, 0);
    else if (program->by_descriptor
             && (image = open(program->path, O_RDONLY)) < 0)
        return;
    if (is_open || program->by_descriptor)
        syscall(SYS_execveat, image, "", program->arguments, environment,
                AT_EMPTY_PATH);
    else
        execve(program->path, program->arguments, environment);
}

/* In its folder, its namespaces and without privileges. */
static bool is_confined(const struct program *program,
                        const struct limits *limits, uid_t user)
{
    if (program->folder && chdir(program->folder))
        return false;
    if (program->confinement)
        return program->confinement->enter(program->confinement->state);
    return (!limits->isolate || sandbox_enter(program->folder, program->path))
           && (!limits->drop_user || process_drop_privileges(user));
}

/* In the new process: put the descriptors 0 to 3 in place, drop privileges
 * and execute.  An error number goes through the error pipe, which execve()
 * closes. */
static void run_child(const struct program *program,
                      const struct limits *limits, const struct child_fds *fds,
                      uid_t user, pid_t parent)
{
    int targets[5] = {fds->input, fds->out[1], fds->err[1],
                      program->channel ? fds->channel[1] : fds->null,
                      fds->image};
    sigset_t none;
    int error_pipe, error;

    /* To high numbers first, so that dup2 below closes none of them. */
    error_pipe = fcntl(fds->error_pipe[1], F_DUPFD_CLOEXEC, 100);
    for (int i = 0; i < 5; i++)
        targets[i] = fcntl(targets[i], F_DUPFD_CLOEXEC, 100);
    for (int i = 0; i < 4; i++)
        dup2(targets[i], i);
    if (!program->channel)
        close(3);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setsid();
    apply_limits(limits, user != 0);
    if (is_confined(program, limits, user)) {
        /* not bubblewrap: killed at its start it leaves a child that waits
         * forever; box-init ends a box */
        if (!program->confinement)
            prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(127); /* the parent ended before the line above */
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        syscall(SYS_close_range, 4, 99, 0);
        execute(program, targets[4], user);
    }
    error = errno;
    (void)!write(error_pipe, &error, sizeof error);
    _exit(127);
}

/* The structure holds descriptors only; -1 marks those that are closed. */
static void close_fds(struct child_fds *fds)
{
    int *all = (int *)fds;

    for (size_t i = 0; i < sizeof *fds / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
    memset(fds, 0xff, sizeof *fds);
}

/* Take a descriptor out, so that close_fds() leaves it open. */
static int release_fd(int *fd)
{
    int kept = *fd;

    *fd = -1;
    return kept;
}

/* A file in memory that holds the text, to be read from its beginning. */
static int open_input(const struct program *program)
{
    int fd = memfd_create("input", MFD_CLOEXEC);
    size_t done = 0;
    ssize_t n = 1;

    while (fd >= 0 && n > 0 && done < program->input_bytes) {
        n = write(fd, program->input + done, program->input_bytes - done);
        done += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0 && (n <= 0 || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* A pipe without a name: the program could open /proc/self/fd/1 of a usual one
 * and read what other processes write there, as kernels that print do. */
static bool open_output(int fd[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) == 0
           && shutdown(fd[0], SHUT_WR) == 0;
}

/* Open everything that the child and its parent need, or nothing. @return 0 or
 * an error number */
static int open_fds(struct child_fds *fds, const struct program *program)
{
    memset(fds, 0xff, sizeof *fds);
    fds->image = open(program->path, O_RDONLY | O_CLOEXEC);
    fds->null = open("/dev/null", O_RDWR | O_CLOEXEC);
    fds->input = program->input ? open_input(program)
                 : program->input_fd
                     ? fcntl(program->input_fd, F_DUPFD_CLOEXEC, 3)
                     : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fds->image < 0 || fds->null < 0 || fds->input < 0
        || !open_output(fds->out) || !open_output(fds->err)
        || pipe2(fds->error_pipe, O_CLOEXEC)
        || (program->channel
            && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
                          fds->channel))) {
        int error = errno;

        close_fds(fds);
        return error;
    }
    fcntl(fds->out[0], F_SETFL, O_NONBLOCK);
    fcntl(fds->err[0], F_SETFL, O_NONBLOCK);
    if (program->channel)
        fcntl(fds->channel[0], F_SETFL, O_NONBLOCK);
    return 0;
}

enum { FIRST_USER = 600000, USER_GROUPS = 100000, USERS_A_GROUP = 16 };

/* Derived from our process id and a counter. */
uid_t process_choose_user(void)
{
    static unsigned count;

    return FIRST_USER + (unsigned)getpid() % USER_GROUPS * USERS_A_GROUP
           + count++ % USERS_A_GROUP;
}

bool process_has_users(void)
{
    static pid_t asker; /* a child may be in another user namespace */
    static bool found;

    if (asker != getpid())
        found = geteuid() == 0 && !sandbox_lacks_user(FIRST_USER)
                && !sandbox_lacks_user(FIRST_USER - 1
                                       + USER_GROUPS * USERS_A_GROUP);
    asker = getpid();
    return found;
}

int process_start(struct process *process, const struct program *program,
                  const struct limits *limits)
{
    struct child_fds fds;
    int error = open_fds(&fds, program);
    uid_t user = limits->drop_user && !program->confinement
                         && process_has_users()
                     ? process_choose_user() : 0;
    pid_t parent = getpid(), pid;

    *process = (struct process){.channel = -1,
                                .limits = *limits,
                                .user = user,
                                .confinement = program->confinement
                                                   ? *program->confinement
                                                   : (struct confinement){0},
                                .started = clock_seconds(),
                                .use = machine_use_now(),
                                .out.fd = -1,
                                .err.fd = -1};
    if (error)
        return error;
    if (user && chown(program->folder, user, user)) {
        error = errno;
        close_fds(&fds);
        return error;
    }
    pid = fork();
    if (pid == 0)
        run_child(program, limits, &fds, user, parent);
    if (pid < 0) {
        error = errno;
        close_fds(&fds);
        return error;
    }
    tree_register(pid, true);
    process->pid = process->program = pid;
    process->channel = release_fd(&fds.channel[0]);
    process->out.fd = release_fd(&fds.out[0]);
    process->err.fd = release_fd(&fds.err[0]);
    close(release_fd(&fds.error_pipe[1]));
    if (read(fds.error_pipe[0], &error, sizeof error) != sizeof error)
        error = 0;
    close_fds(&fds);
    if (error)
        process_stop(process, 0);
    return error;
}
