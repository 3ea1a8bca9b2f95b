/* SPDX-License-Identifier: MIT */
/* Taking files out of archives, the grader's side: see archive.h.  What reads
 * the archive (archive_read.c) is a program in a box, or a forked child. */
#include "archive.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive_record.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/temp_dir.h"
#include "common/base/sandbox.h"
#include "common/base/text.h"
#include "grader/box/box.h"
#include "text_clean.h"

enum {
    UNPACK_SECONDS = 20,        /* of the child; 64 MiB take under one */
    UNPACK_MEMORY = 1 << 30,    /* of address space added */
    READER_USER = 599998        /* a user id that no runner has */
};

bool source_is_text(const char *name, const char *text, size_t length,
                    struct refusal *refusal)
{
    const char *problem = NULL;

    if (!strncmp(text, "\xff\xfe", 2) || !strncmp(text, "\xfe\xff", 2))
        problem = "%s is UTF-16: an editor must save it as UTF-8";
    else if (memchr(text, 0, length))
        problem = "%s is not text: it contains a NUL";
    else if (length > SOURCE_BYTES)
        problem = "%s has more than 1 MiB";
    if (!problem)
        return true;
    refusal->verdict = REJECTED;
    text_format(refusal->reason, REASON_BYTES, problem, name);
    return false;
}

/* --- the child ------------------------------------------------------------ */

/* libarchive parses untrusted bytes, so it runs in a process without privileges
 * and with limits on time, memory and files. */
static _Noreturn void run_child(int fd, const char *name,
                                struct source *sources, size_t count, int out,
                                pid_t parent)
{
    const struct rlimit seconds = {UNPACK_SECONDS, UNPACK_SECONDS + 5};
    const struct rlimit memory = {UNPACK_MEMORY, UNPACK_MEMORY};
    const struct rlimit none = {0, 0};

    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    setrlimit(RLIMIT_CPU, &seconds);
#if !defined __SANITIZE_ADDRESS__ /* which maps terabytes */
    setrlimit(RLIMIT_AS, &memory);
#endif
    (void)memory;
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    if (!process_drop_privileges(
            geteuid() == 0 && sandbox_has_user(READER_USER) ? READER_USER : 0))
        _exit(1);
    archive_send(fd, name, sources, count, out);
}

/* --- the grader's side ---------------------------------------------------- */

/* Read exactly `length` bytes until the deadline; the peer may be hostile. */
static bool receive(int fd, void *to, size_t length, double deadline)
{
    char *at = to;

    while (length > 0) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        ssize_t got;

        if (clock_seconds() > deadline || interrupted())
            return false;
        if (poll(&ready, 1, 200) <= 0)
            continue;
        got = read(fd, at, length);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        length -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* The reason is shown to students on one line, hence without control
 * characters. */
static void refuse(struct refusal *refusal, enum verdict verdict,
                   const char *format, const char *detail)
{
    refusal->verdict = verdict;
    text_format(refusal->reason, REASON_BYTES, format, detail);
    make_printable(refusal->reason);
    for (char *at = refusal->reason; *at; at++)
        if (*at == '\n') /* libarchive's messages may have several lines */
            *at = at[1] ? ' ' : 0;
}

/* Receive one record.  @return true when another follows */
static bool receive_record(int fd, struct source *sources, size_t count,
                           double deadline, struct refusal *refusal)
{
    struct record record;
    char *text;

    if (!receive(fd, &record, sizeof record, deadline)
        || record.length > SOURCE_BYTES || record.index >= count)
        return false;
    text = calloc(1, record.length + 1);
    if (!text || !receive(fd, text, record.length, deadline)) {
        free(text);
        return false;
    }
    if (record.kind == TAKEN && !sources[record.index].text) {
        sources[record.index].text = text;
        sources[record.index].length = record.length;
        return true;
    }
    refusal->verdict = PASS;
    if (record.kind == FAILED)
        refuse(refusal, INTERNAL, "the archive cannot be read now: %s", text);
    else if (record.kind != DONE)
        refuse(refusal, REJECTED,
               record.kind == BROKEN ? "the archive cannot be read: %s"
                                     : "the archive is refused: %s", text);
    free(text);
    return false;
}

static const char no_answer[] = "no answer";
static const char broken[] = "the archive cannot be read: ";

/* The child sent neither an end nor a reason. */
static void explain_end(int status, bool is_late, struct refusal *refusal)
{
    if (is_late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        refuse(refusal, REJECTED, "the archive takes more than %s s to read",
               "20");
    else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        refuse(refusal, REJECTED, "the archive cannot be read: %s",
               "libarchive fails on it");
    else if (WIFEXITED(status) && WEXITSTATUS(status) == NO_MEMORY_STATUS)
        refuse(refusal, INTERNAL, "the archive cannot be read now: %s",
               "out of memory");
    else
        refuse(refusal, INTERNAL, "the process that reads archives %s",
               "could not do its work");
}

/* After a refusal no file of the archive is graded. */
static void drop_sources(struct source *sources, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(sources[i].text);
        sources[i].text = NULL;
        sources[i].length = 0;
    }
}


/* The output of a box, as a file to receive records from. */
static int open_records(const struct process *process)
{
    int fd = memfd_create("records", MFD_CLOEXEC);

    if (fd >= 0 && process->out.length
        && (write(fd, process->out.text, process->out.length)
                != (ssize_t)process->out.length
            || lseek(fd, 0, SEEK_SET))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Read records until the child says how it ended; a child that ended without a
 * word is explained by its status. */
static void receive_records(struct process *process, int end, int status,
                            struct source *sources, size_t count,
                            struct refusal *refusal)
{
    const double deadline = clock_seconds() + UNPACK_SECONDS;
    int fd = open_records(process);

    while (fd >= 0 && receive_record(fd, sources, count, deadline, refusal))
        ;
    if (fd >= 0)
        close(fd);
    if (refusal->verdict != INTERNAL || strcmp(refusal->reason, no_answer))
        return;
    if (end == WAIT_MEMORY_LIMIT || process->over_memory)
        refuse(refusal, REJECTED, "the archive cannot be read: %s",
               "it needs more than 1 GiB of memory");
    else
        explain_end(status, end == WAIT_TIMEOUT, refusal);
}

/* The same in a box of the tier in use. */
static void extract_in_box(int fd, const char *name, struct source *sources,
                           size_t count, struct refusal *refusal)
{
    static const struct limits limits = {
        .seconds = 2 * UNPACK_SECONDS, .memory = UNPACK_MEMORY, .file = 1,
        .processes = 4, .output = (SOURCES + 1) * (size_t)SOURCE_BYTES};
    static struct box box;
    char path[PATH_MAX], folder[PATH_MAX], *argument[SOURCES + 3];
    struct program program = {.path = path, .arguments = argument,
                              .input_fd = fd};
    struct process process;
    int status = 0, end;

    if (!temp_dir_create(folder)) {
        refuse(refusal, INTERNAL, "no temporary folder: %s", strerror(errno));
        return;
    }
    text_format(path, sizeof path, "%s/box-unpack", library_root());
    argument[0] = "box-unpack";
    argument[1] = (char *)(size_t)name;
    for (size_t i = 0; i < count; i++)
        argument[2 + i] = (char *)(size_t)sources[i].name;
    argument[2 + count] = NULL;
    box = (struct box){.tier = box_tier_in_use(), .kind = BOX_UNPACK,
                       .folder = folder, .folder_bytes = 4096,
                       .folder_files = 4, .processors = 1};
    box_add_readable(&box, path);
    program.environment = box_environment(folder, NULL);
    end = box_run(&box, &process, &program, &limits, &status);
    rmdir(folder);
    if (end < 0) {
        refuse(refusal, INTERNAL, "%s", box.problem);
        return;
    }
    receive_records(&process, end, status, sources, count, refusal);
    process_free(&process);
}

/* The same in a forked child. */
static void extract_in_child(int fd, const char *name, struct source *sources,
                  size_t count, struct refusal *refusal)
{
    double deadline = clock_seconds() + 2 * UNPACK_SECONDS;
    int pipe_fds[2], status = 0;
    bool is_late;
    pid_t child, parent = getpid();

    if (pipe(pipe_fds)) {
        refuse(refusal, INTERNAL, "pipe: %s", strerror(errno));
        return;
    }
    child = fork();
    if (child == 0)
        run_child(fd, name, sources, count, pipe_fds[1], parent);
    close(pipe_fds[1]);
    while (child > 0
           && receive_record(pipe_fds[0], sources, count, deadline, refusal))
        ;
    is_late = clock_seconds() > deadline;
    close(pipe_fds[0]);
    if (child > 0) {
        if (refusal->verdict == INTERNAL && is_late)
            kill(child, SIGKILL);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    }
    if (refusal->verdict == INTERNAL && !strcmp(refusal->reason, no_answer))
        explain_end(status, is_late, refusal);
}

/* Read the archive once, from its beginning. */
static void extract_once(int fd, const char *name, struct source *sources,
                         size_t count, struct refusal *refusal)
{
    refuse(refusal, INTERNAL, "%s", no_answer);
    if (lseek(fd, 0, SEEK_SET))
        refuse(refusal, INTERNAL, "lseek: %s", strerror(errno));
    else if (box_tier_in_use() == TIER_D)
        extract_in_child(fd, name, sources, count, refusal);
    else
        extract_in_box(fd, name, sources, count, refusal);
    if (refusal->verdict != PASS)
        drop_sources(sources, count);
    else
        *refusal->reason = 0;
}

void archive_extract(int fd, const char *name, struct source *sources,
                     size_t count, struct refusal *refusal)
{
    extract_once(fd, name, sources, count, refusal);
    /* a crash may be the machine's fault: a second time it is the archive's */
    if (refusal->verdict == REJECTED
        && !strncmp(refusal->reason, broken, sizeof broken - 1))
        extract_once(fd, name, sources, count, refusal);
}
