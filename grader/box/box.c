/* SPDX-License-Identifier: MIT */
/* Starting and ending boxes.
 *
 * The grader forks; the child enters the control group, puts the root folder
 * together, gives up root and executes bubblewrap, which makes the namespaces
 * and executes box-init, the first process in them.  Tiers C and D execute
 * box-init directly. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_line.h"
#include "common/base/sandbox.h"
#include "common/base/target.h"
#include "common/base/text.h"
#include "filter.h"
#include "landlock.h"
#include "layout.h"
#include "message.h"

/* Seconds until a box must run; most take a hundredth. */
enum { START_SECONDS = 30 };

static bool has_namespaces(const struct box *box)
{
    return box->tier >= TIER_B;
}

static bool refuse(struct box *box, const char *step, const char *why)
{
    text_format(box->problem, BOX_REASON, "no box of tier %s: %s: %s",
                box_tier_name(box->tier), step, why);
    make_printable(box->problem);
    return false;
}

/* Say which step the machine refuses, and how to allow it. */
static bool refuse_here(struct box *box, const char *step, const char *why)
{
    char text[BOX_REASON];

    text_format(text, sizeof text, "%.*s%s", (int)strcspn(why, "\n"), why,
                has_namespaces(box) ? box_chroot_advice() : "");
    return refuse(box, step, text);
}

void box_add_readable(struct box *box, const char *path)
{
    if (!path || !*path)
        return;
    if (box->readables == BOX_READABLE)
        abort(); /* a build has a known number of inputs */
    box->readable[box->readables++] = path;
}

/* --- in the child --------------------------------------------------------- */

/* A socket or file that reaches box-init. */
static void inherit(int fd)
{
    fcntl(fd, F_SETFD, 0);
}

static bool enter_namespaces(const struct box *box)
{
    int contents = -1;

    if (box->tier == TIER_A)
        return layout_make(box, box_init_path(), &contents)
               && box_message_send_fd(box->their_status, BOX_FOLDER, contents)
               && process_drop_privileges(box->user);
    return (!box->user || process_drop_privileges(box->user))
           && sandbox_enter_user_namespace()
           && layout_make(box, box_init_path(), &contents)
           && box_message_send_fd(box->their_status, BOX_FOLDER, contents)
           && process_drop_privileges(0);
}

static bool enter(void *state)
{
    const struct box *box = state;

    inherit(box->their_status);
    inherit(box->filter);
    for (size_t i = 0; i < box->outputs; i++)
        inherit(box->output[i].fd);
    if (!group_enter(&box->group))
        return false;
    return has_namespaces(box) ? enter_namespaces(box)
                               : process_drop_privileges(box->user);
}

/* --- messages ------------------------------------------------------------- */

static void handle_message(struct box *box, struct process *process,
                           const struct box_message *message, pid_t sender)
{
    switch (message->kind) {
    case BOX_FOLDER: break; /* its descriptor is kept */
    case BOX_FIRST: box->first = sender; break;
    case BOX_PROGRAM: process->program = sender; break;
    case BOX_ENDED:
        box->has_ended = true;
        box->ended = message->value;
        break;
    case BOX_COPIED:
        box->outputs_complete = message->value > 0;
        box->outputs_lost = message->value < 0;
        break;
    case BOX_FAILED:
        refuse_here(box, message->text, strerror(message->value));
        break;
    }
}

/* bubblewrap ended without a message: its last words. */
static void explain_silence(struct box *box, struct process *process)
{
    process_drain(process);
    refuse_here(box, "it ended before its program started",
                process->err.text ? process->err.text : "no message");
}

/* Until the program runs, or cannot. */
static bool wait_for_start(struct box *box, struct process *process)
{
    const double deadline = clock_seconds() + START_SECONDS;
    struct pollfd polled = {.fd = box->status, .events = POLLIN};
    struct box_message message = {0};
    pid_t sender;

    while (clock_seconds() < deadline) {
        if (poll(&polled, 1, 100) <= 0)
            continue;
        errno = EAGAIN;
        if (!box_message_receive(box->status, &message, &sender,
                                 &box->contents)) {
            if (errno == EAGAIN || errno == EINTR)
                continue;
            explain_silence(box, process);
            return false;
        }
        handle_message(box, process, &message, sender);
        if (message.kind == BOX_FAILED)
            return false;
        if (message.kind == BOX_STARTED)
            return true;
    }
    return refuse(box, "it did not start", "no answer within 30 s");
}

/* --- the end -------------------------------------------------------------- */

/* The first process of the namespace takes all others with it. */
static int kill_box(const struct box *box, struct process *process)
{
    int status = 0;

    if (box->first > 0 && box->first != process->pid)
        kill(box->first, SIGKILL);
    group_kill(&box->group);
    kill(process->pid, SIGKILL);
    while (wait4(process->pid, &status, 0, &process->usage) < 0
           && errno == EINTR)
        ;
    return status;
}

/* Orphaned by bubblewrap's end, it is our child: wait until it is gone. */
static void reap_first(const struct box *box, const struct process *process)
{
    if (box->first > 0 && box->first != process->pid)
        while (waitpid(box->first, NULL, __WALL) < 0 && errno == EINTR)
            ;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void read_evidence(const struct box *box, struct process *process)
{
    struct group_counts counts;

    group_read(&box->group, &counts);
    process->over_memory = counts.oom_kills > 0;
    process->over_processes = counts.refused > 0;
}

static int leave(void *state, struct process *process, bool ended, int status)
{
    struct box *box = state;
    struct box_message message;
    pid_t sender;

    if (!ended)
        status = kill_box(box, process);
    reap_first(box, process);
    while (box_message_receive(box->status, &message, &sender,
                                 &box->contents))
        handle_message(box, process, &message, sender);
    group_kill(&box->group);
    read_evidence(box, process);
    group_remove(&box->group);
    close_fd(&box->status);
    close_fd(&box->contents);
    if (box->has_ended)
        return box->ended;
    return ended ? status : SIGKILL;
}

/* --- the start ------------------------------------------------------------ */

/* To a number that the started process keeps; see struct confinement. */
static int raise_fd(int fd)
{
    int raised = fcntl(fd, F_DUPFD_CLOEXEC, 300);

    close(fd);
    return raised;
}

static bool open_channel(struct box *box)
{
    const bool compiles = box->kind != BOX_RUN, counts = box->tier == TIER_A;
    const struct filter_needs needs = {compiles || box->gpu,
                                       compiles || box->gpu || counts,
                                       !compiles && !box->gpu};
    const int on = 1;
    int pair[2];

    box->filter = filter_open(&needs);
    if (box->filter < 0
        || (box->filter = fcntl(box->filter, F_DUPFD_CLOEXEC, 300)) < 0)
        return refuse(box, "the seccomp filter", strerror(errno));
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return refuse(box, "socketpair", strerror(errno));
    box->status = pair[0];
    box->their_status = raise_fd(pair[1]);
    return setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0
           || refuse(box, "SO_PASSCRED", strerror(errno));
}

static void close_channel(struct box *box)
{
    close_fd(&box->filter);
    close_fd(&box->their_status);
    for (size_t i = 0; i < box->outputs; i++)
        close_fd(&box->output[i].fd);
}

static bool choose_user(struct box *box)
{
    const uid_t user = process_choose_user();

    box->user = geteuid() == 0 && sandbox_has_user(user) ? user : 0;
    if (box->user || box->tier == TIER_B || box->tier == TIER_D)
        return true;
    return refuse(box, "a user id of its own",
                  geteuid() ? "only root can give up its own"
                            : "this root has no other user ids");
}

static bool create_group(struct box *box, const struct limits *limits)
{
    char reason[BOX_REASON / 2];
    const unsigned most = box_processes(box, limits);

    box->group.count = 0;
    if (box->tier != TIER_A)
        return true;
    return group_create(&box->group,
                        limits->memory + box->folder_bytes
                            + BOX_OVERHEAD_MEMORY,
                        most + BOX_OVERHEAD_PROCESSES, box->processors, reason,
                        sizeof reason)
           || refuse(box, "control group", reason);
}

/* A file that only we may read would look like a mistake of the student. */
static bool can_be_read(struct box *box)
{
    struct stat about;

    for (size_t i = 0; i < box->readables && box->user; i++)
        if (stat(box->readable[i], &about) == 0 && !(about.st_mode & S_IROTH))
            return refuse(box, box->readable[i],
                          "other users may not read it (chmod o+r)");
    return true;
}

static bool prepare(struct box *box, const struct limits *limits)
{
    box->status = box->their_status = box->filter = box->contents = -1;
    box->first = 0;
    box->has_ended = box->outputs_complete = box->outputs_lost = false;
    *box->problem = 0;
    if (!limits->memory || !limits->processes)
        return refuse(box, "limits", "memory or processes are not limited");
    if (has_namespaces(box) && (!box->folder_bytes || !box->folder_files))
        return refuse(box, "limits", "the working folder is not limited");
    for (size_t i = 0; i < box->outputs; i++)
        box->output[i].fd = raise_fd(box->output[i].fd);
    if (!choose_user(box) || !can_be_read(box) || !open_channel(box)
        || !create_group(box, limits))
        return false;
    if (!has_namespaces(box) && box->user
        && chown(box->folder, box->user, box->user))
        return refuse(box, box->folder, strerror(errno));
    return true;
}

static bool start_process(struct box *box, struct process *process,
                          const struct program *program,
                          const struct limits *limits)
{
    const struct confinement confinement = {enter, leave, box};
    static struct command_line line;
    struct program outer = *program;
    struct limits own = *limits;
    char path[PATH_MAX];
    int error;

    if (!has_namespaces(box))
        text_format(path, sizeof path, "%s", box_init_path());
    else if (!find_program("bwrap", path))
        return refuse(box, "bubblewrap", "the program bwrap is not installed");
    box_command_line(box, program, limits, &line);
    outer.path = path;
    outer.arguments = line.argument;
    outer.folder = NULL;
    outer.by_descriptor = false;
    outer.confinement = &confinement;
    own.drop_user = own.isolate = false;
    own.address_space = 0; /* box-init sets it for the program alone */
    own.processes += BOX_OVERHEAD_PROCESSES;
    error = process_start(process, &outer, &own);
    if (error)
        return refuse_here(box, "it cannot be made", strerror(error));
    if (!has_namespaces(box))
        process->user = box->user; /* its processes are found by it */
    process->limits.address_space = limits->address_space;
    return true;
}

bool box_start(struct box *box, struct process *process,
               const struct program *program, const struct limits *limits)
{
    const bool prepared = prepare(box, limits);
    bool started = prepared && start_process(box, process, program, limits);

    close_channel(box);
    if (started && !wait_for_start(box, process)) {
        process_stop(process, 0);
        process_free(process);
        return false;
    }
    if (!started) {
        close_fd(&box->status);
        group_remove(&box->group);
        *process = (struct process){.channel = -1,
                                    .out.fd = -1, .err.fd = -1};
    }
    return started;
}

bool box_folder_is_full(const struct box *box)
{
    struct statvfs about;

    return box->contents >= 0 && fstatvfs(box->contents, &about) == 0
           && (about.f_bfree == 0 || about.f_ffree == 0);
}

int box_run(struct box *box, struct process *process,
            const struct program *program, const struct limits *limits,
            int *status)
{
    enum wait_result result;

    if (!box_start(box, process, program, limits))
        return -1;
    result = process_wait(process, 0, clock_seconds() + limits->seconds);
    *status = process_stop(process, result == WAIT_ENDED ? 1 : 0);
    return (int)result;
}
