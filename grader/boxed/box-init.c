/* SPDX-License-Identifier: MIT */
/* The first process of a box: gives up what is left to give up, runs the
 * program, ends all that the program leaves, and copies its outputs out.
 *
 *     box-init OPTION VALUE... -- PROGRAM ARGV...
 *
 * Its state cannot be reached by the program: it is not dumpable, and in tiers
 * A and B it is process 1, which no process of the box can kill. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/box/landlock.h"
#include "grader/box/message.h"

enum { MAX_PATHS = 192, MAX_OUTPUTS = 4, MAX_FILTER = 4096 };

/* Values of the command line. */
struct settings {
    int status;  /* socket of messages */
    int filter;  /* BPF program */
    bool channel, own_user;
    bool by_descriptor; /* see struct program */
    bool keep_large_files; /* a write beyond the limit fails, without SIGXFSZ */
    int first_landlock; /* version that is needed at least */
    rlim_t processes, address_space;
    const char *readable[MAX_PATHS], *writable[MAX_PATHS];
    size_t readables, writables;
    struct {
        int fd;
        const char *name;
    } output[MAX_OUTPUTS];
    size_t outputs;
    const char *folder, *program;
    char **arguments;
};

static struct settings settings = {.status = -1, .filter = -1};

static void report(int kind, int value, const char *text)
{
    struct box_message message = {.kind = kind, .value = value};

    strncpy(message.text, text, sizeof message.text - 1);
    (void)!send(settings.status, &message, sizeof message, MSG_NOSIGNAL);
}

/* --- the grader's end ----------------------------------------------------- */

/* For SIGIO, which a process of the box may send, too: ends the box if the
 * grader's end of the socket is closed. */
static void end_without_grader(int signal_number)
{
    const int before = errno;
    struct pollfd end = {.fd = settings.status};

    (void)signal_number;
    if (poll(&end, 1, 0) == 1 && end.revents & POLLHUP)
        _exit(127); /* of process 1: all others of the box end with it */
    errno = before;
}

/* The box ends with the grader, and with bubblewrap, which is killed to end
 * it.  Returns 0, or -1 with errno. */
static int follow_grader(void)
{
    struct sigaction action = {.sa_handler = end_without_grader,
                               .sa_flags = SA_RESTART};

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || sigaction(SIGIO, &action, NULL)
        || fcntl(settings.status, F_SETOWN, getpid())
        || fcntl(settings.status, F_SETFL,
                 fcntl(settings.status, F_GETFL) | O_ASYNC))
        return -1;
    end_without_grader(0); /* it may have ended before */
    return 0;
}

static _Noreturn void exit_failed(const char *step)
{
    report(BOX_FAILED, errno, step);
    _exit(127);
}

static void read_option(const char *name, char *value)
{
    switch (name[1]) {
    case 's': settings.status = atoi(value); break;
    case 'f': settings.filter = atoi(value); break;
    case 'l': settings.first_landlock = atoi(value); break;
    case 'c': settings.channel = atoi(value); break;
    case 'e': settings.by_descriptor = atoi(value); break;
    case 'u': settings.own_user = atoi(value) && geteuid() != 0; break;
    case 'x': settings.keep_large_files = atoi(value); break;
    case 'n': settings.processes = strtoul(value, NULL, 10); break;
    case 'a': settings.address_space = strtoul(value, NULL, 10); break;
    case 'd': settings.folder = value; break;
    case 'r':
        if (settings.readables < MAX_PATHS)
            settings.readable[settings.readables++] = value;
        break;
    case 'w':
        if (settings.writables < MAX_PATHS)
            settings.writable[settings.writables++] = value;
        break;
    case 'o':
        if (settings.outputs < MAX_OUTPUTS && strchr(value, ':')) {
            settings.output[settings.outputs].fd = atoi(value);
            settings.output[settings.outputs++].name = strchr(value, ':') + 1;
        }
        break;
    }
}

static bool read_settings(int argc, char **argv)
{
    int i = 1;

    for (; i + 1 < argc && strcmp(argv[i], "--"); i += 2)
        read_option(argv[i], argv[i + 1]);
    if (i + 2 >= argc)
        return false;
    settings.program = argv[i + 1];
    settings.arguments = argv + i + 2;
    return settings.status >= 0 && settings.filter >= 0 && settings.folder;
}

/* --- the program's process ------------------------------------------------ */

static void limit_files(void)
{
    int rules;

    if (landlock_version() < settings.first_landlock) {
        errno = ENOTSUP;
        exit_failed("Landlock: the kernel's is missing or too old");
    }
    if (!landlock_version())
        return;
    rules = landlock_create();
    if (rules < 0)
        exit_failed("Landlock");
    for (size_t i = 0; i < settings.readables; i++)
        if (!landlock_allow(rules, settings.readable[i], false)
            && errno != ENOENT)
            exit_failed("Landlock, a file to read");
    for (size_t i = 0; i < settings.writables; i++)
        if (!landlock_allow(rules, settings.writable[i], true)
            && errno != ENOENT)
            exit_failed("Landlock, a folder to write");
    if (!landlock_apply(rules))
        exit_failed("Landlock");
}

static void limit_calls(void)
{
    static struct sock_filter code[MAX_FILTER];
    ssize_t bytes = pread(settings.filter, code, sizeof code, 0);
    struct sock_fprog program = {
        .len = (unsigned short)(bytes / (ssize_t)sizeof *code),
        .filter = code};

    if (bytes <= 0 || bytes == sizeof code
        || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        exit_failed("seccomp");
}

static void limit_resource(int resource, rlim_t most)
{
    const struct rlimit limits = {most, most};

    if (most && setrlimit(resource, &limits))
        exit_failed("setrlimit");
}

/* Enters the folder of the box, or fails and names the folder that is closed to
 * the box's user: a working folder below root's own, say. */
static void enter_folder(void)
{
    char text[PATH_MAX + 64], folder[PATH_MAX];
    size_t length = 0;

    if (!chdir(settings.folder))
        return;
    do { /* each folder above it, from the root on */
        length += 1 + strcspn(settings.folder + length + 1, "/");
        snprintf(folder, sizeof folder, "%.*s", (int)length, settings.folder);
    } while (settings.folder[length] && !access(folder, X_OK));
    access(folder, X_OK); /* for errno */
    snprintf(text, sizeof text, "user %d cannot enter %s", (int)getuid(),
             folder);
    exit_failed(text);
}

static void execute(void)
{
    const int file = settings.by_descriptor ? open(settings.program, O_RDONLY)
                                            : -1;

    if (file >= 0)
        syscall(SYS_execveat, file, "", settings.arguments, environ,
                AT_EMPTY_PATH);
    else
        execv(settings.program, settings.arguments);
}

/* Sends BOX_PROGRAM; whether exec succeeded tells `failure`, which it
 * closes. */
static _Noreturn void run_program(int failure)
{
    int error;

    if (setpgid(0, 0))
        exit_failed("setpgid");
    enter_folder();
    limit_resource(RLIMIT_NPROC, settings.processes);
    limit_resource(RLIMIT_AS, settings.address_space);
    limit_files();
    report(BOX_PROGRAM, 0, "");
    limit_calls();
    /* Descriptors beyond the channel are not the program's. */
    for (int fd = settings.channel ? 4 : 3; fd < 64; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (syscall(SYS_close_range, 64, ~0u, 4 /* CLOSE_RANGE_CLOEXEC */))
        exit_failed("close_range");
    execute();
    error = errno;
    (void)!write(failure, &error, sizeof error);
    _exit(127);
}

/* --- the first process ---------------------------------------------------- */

/* Until the program ends, reaping whatever else does.
 *  @return its wait status */
static int wait_for(pid_t program)
{
    int status = 0;
    pid_t ended;

    while ((ended = waitpid(-1, &status, __WALL)) != program)
        if (ended < 0 && errno != EINTR)
            return -1;
    return status;
}

/* Nothing but this process is left then, and nothing writes any more.
 *
 * kill(-1) ends every process that we may signal: those of the box alone if we
 * are process 1 of a namespace, or have a user id of our own (-u 1).  Else it
 * would end all processes of our user, on the whole machine. */
static void end_others(pid_t program)
{
    const pid_t all = getpid() == 1 || settings.own_user ? -1 : -program;

    for (int i = 0; i < 1000; i++) {
        pid_t ended;

        if (kill(all, SIGKILL) && errno == ESRCH)
            break;
        while ((ended = waitpid(-1, NULL, WNOHANG | __WALL)) > 0)
            ;
        if (ended < 0 && errno == ECHILD)
            break;
        usleep(200);
    }
}

/* Regular files only, and no links.  @return a value of BOX_COPIED */
static int copy_out(const char *name, int to)
{
    static char block[1 << 16];
    int from = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    ssize_t got = -1;

    if (from >= 0 && fstat(from, &about) == 0 && S_ISREG(about.st_mode))
        while ((got = read(from, block, sizeof block)) > 0)
            for (ssize_t done = 0, n; done < got; done += n)
                if ((n = write(to, block + done, (size_t)(got - done))) <= 0) {
                    close(from);
                    return -1;
                }
    if (from >= 0)
        close(from);
    return got == 0;
}

static void copy_outputs(void)
{
    int copied = chdir(settings.folder) == 0;

    for (size_t i = 0; i < settings.outputs && copied > 0; i++)
        copied = copy_out(settings.output[i].name, settings.output[i].fd);
    report(BOX_COPIED, copied, "");
}

/* The program's outputs and channel are its own: their ends tell the grader
 * what the program does. */
static void close_standard(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; fd < 3; fd++)
        if (null >= 0)
            dup2(null, fd);
    if (settings.channel)
        close(3);
}

int main(int argc, char **argv)
{
    int failure[2], error = 0, status;
    pid_t program;

    if (!read_settings(argc, argv))
        return 126;
    signal(SIGXFSZ, SIG_IGN);
    if (prctl(PR_SET_DUMPABLE, 0) || prctl(PR_SET_CHILD_SUBREAPER, 1)
        || follow_grader() || pipe2(failure, O_CLOEXEC))
        exit_failed("the first process");
    fcntl(settings.status, F_SETFD, FD_CLOEXEC);
    report(BOX_FIRST, 0, "");
    program = fork();
    if (program == 0) {
        signal(SIGXFSZ, settings.keep_large_files ? SIG_IGN : SIG_DFL);
        run_program(failure[1]);
    }
    close(failure[1]);
    if (program < 0)
        exit_failed("fork");
    close_standard();
    if (read(failure[0], &error, sizeof error) == sizeof error) {
        errno = error;
        exit_failed("the program");
    }
    report(BOX_STARTED, 0, "");
    status = wait_for(program);
    end_others(program);
    report(BOX_ENDED, status, "");
    copy_outputs();
    _exit(0);
}
