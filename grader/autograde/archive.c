/* SPDX-License-Identifier: MIT */
/* Reading archives in a child process: see archive.h.
 *
 * The child sends records through a pipe: a byte (TAKEN, REFUSED or DONE), a
 * source's index, a length, and that many bytes. */
#include "archive.h"

#include <archive.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive_rules.h"
#include "common/base/process.h"
#include "common/base/text.h"
#include "text_clean.h"

enum {
    UNPACK_SECONDS = 20,        /* of the child; 64 MiB take under one */
    UNPACK_MEMORY = 1 << 30,    /* of address space added */
    READER_USER = 599998        /* a user id that no runner has */
};

enum kind {
    TAKEN = 'T',
    REFUSED = 'R',
    DONE = 'D',
    BROKEN = 'B',
    FAILED = 'F' /* we did: not the archive */
};

/* What precedes the bytes of a record. */
struct record {
    uint32_t kind, index, length;
};

static const char *const endings[] = {".zip", ".tar", ".tar.gz", ".tgz",
                                      ".tar.bz2", ".tbz2", ".tar.xz", ".txz",
                                      ".tar.zst", NULL};

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);

    return length > tail && equals_folded(name + length - tail, ending);
}

bool is_archive_name(const char *name)
{
    for (int i = 0; endings[i]; i++)
        if (ends_with(name, endings[i]))
            return true;
    return false;
}

bool source_is_text(const char *name, const char *text, size_t length,
                    struct refusal *refusal)
{
    const char *problem = NULL;

    if (memchr(text, 0, length))
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

static void send_all(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;

    while (length > 0) {
        ssize_t sent = write(fd, at, length);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            _exit(1);
        at += sent;
        length -= (size_t)sent;
    }
}

static void send_record(int fd, enum kind kind, size_t index,
                        const char *bytes, size_t length)
{
    struct record record = {kind, (uint32_t)index, (uint32_t)length};

    send_all(fd, &record, sizeof record);
    send_all(fd, bytes, length);
}

static _Noreturn void send_reason(int fd, enum kind kind, const char *reason)
{
    send_record(fd, kind, 0, reason, strlen(reason));
    _exit(0);
}

/* What libarchive fails on: damaged data, or an error of this machine. */
static _Noreturn void send_error(int fd, struct archive *archive)
{
    const int error = archive_errno(archive);
    const char *text = archive_error_string(archive);

    send_reason(fd, error == EIO || error == ENOMEM ? FAILED : BROKEN,
                text ? text : "damaged data");
}

/* Only these formats: libarchive knows others, with more code behind them. */
static struct archive *open_archive(int fd, const char *name, int out)
{
    struct archive *archive = archive_read_new();

    if (!archive)
        send_reason(out, FAILED, "out of memory");
    if (ends_with(name, ".zip")) {
        archive_read_support_format_zip(archive);
    } else {
        archive_read_support_format_tar(archive);
        archive_read_support_filter_gzip(archive);
        archive_read_support_filter_bzip2(archive);
        archive_read_support_filter_xz(archive);
        archive_read_support_filter_zstd(archive);
    }
    if (archive_read_open_fd(archive, fd, 65536) == ARCHIVE_OK)
        return archive;
    send_error(out, archive);
}

/* A zip must begin as one: a file that is also something else is refused. */
static bool begins_right(int fd, const char *name, int out)
{
    char start[4] = "";
    ssize_t got;

    if (!ends_with(name, ".zip"))
        return true;
    while ((got = pread(fd, start, 4, 0)) < 0 && errno == EINTR)
        ;
    if (got < 0)
        send_reason(out, FAILED, strerror(errno));
    return got == 4
           && (!memcmp(start, "PK\3\4", 4) || !memcmp(start, "PK\5\6", 4));
}

static size_t find_wanted(const struct source *wanted, size_t count,
                          const char *path)
{
    size_t i = 0;

    while (i < count && strcmp(base_name(path), wanted[i].name))
        i++;
    return i;
}

/* Read an entry's bytes whether they are wanted or not: what an entry declares
 * and what it holds may differ. */
static size_t read_entry(struct archive *archive, char *text, size_t room,
                         long long *total, int out)
{
    static char block[65536];
    size_t length = 0;
    ssize_t got;

    while ((got = archive_read_data(archive, block, sizeof block)) > 0) {
        *total += got;
        if (*total > ARCHIVE_BYTES)
            send_reason(out, REFUSED, "more than 64 MiB, uncompressed");
        if (text && length + (size_t)got > room)
            send_reason(out, REFUSED, "a lab's file has more than 1 MiB");
        if (text)
            memcpy(text + length, block, (size_t)got);
        length += (size_t)got;
    }
    if (got < 0)
        send_error(out, archive);
    return length;
}

static void take_entry(struct archive *archive, struct archive_entry *entry,
                       struct source *wanted, size_t count, int out)
{
    static long long total;
    static char text[SOURCE_BYTES];
    const char *path = archive_entry_pathname(entry);
    size_t index = archive_entry_filetype(entry) == AE_IFREG
                   && !is_macos_entry(path)
                   ? find_wanted(wanted, count, path) : count;
    char reason[REASON_BYTES];
    size_t length;

    if (index == count) {
        read_entry(archive, NULL, 0, &total, out);
        return;
    }
    if (wanted[index].length) {
        text_format(reason, sizeof reason, "it holds two files %s",
                    wanted[index].name);
        send_reason(out, REFUSED, reason);
    }
    length = read_entry(archive, text, sizeof text, &total, out);
    wanted[index].length = 1; /* seen; in the child's copy alone */
    send_record(out, TAKEN, index, text, length);
}

static _Noreturn void read_archive(int fd, const char *name,
                                   struct source *wanted, size_t count, int out)
{
    static struct seen seen;
    struct archive *archive;
    struct archive_entry *entry;
    char reason[REASON_BYTES];
    int status;

    if (!begins_right(fd, name, out))
        send_reason(out, BROKEN, "not a zip file");
    archive = open_archive(fd, name, out);
    while ((status = archive_read_next_header(archive, &entry))
           == ARCHIVE_OK) {
        if (!archive_entry_is_allowed(&seen, entry, reason))
            send_reason(out, REFUSED, reason);
        take_entry(archive, entry, wanted, count, out);
    }
    if (status != ARCHIVE_EOF)
        send_error(out, archive);
    if (!seen.entries)
        send_reason(out, BROKEN, "it is empty");
    send_record(out, DONE, 0, "", 0);
    _exit(0);
}

static _Noreturn void run_child(int fd, const char *name,
                                struct source *wanted, size_t count, int out,
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
    if (!process_drop_privileges(geteuid() ? 0 : READER_USER))
        _exit(1);
    read_archive(fd, name, wanted, count, out);
}

/* --- the grader's side ---------------------------------------------------- */

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
static bool take_record(int fd, struct source *wanted, size_t count,
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
    if (record.kind == TAKEN && !wanted[record.index].text) {
        wanted[record.index].text = text;
        wanted[record.index].length = record.length;
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

/* The child sent neither an end nor a reason. */
static void explain_end(int status, bool is_late, struct refusal *refusal)
{
    if (is_late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        refuse(refusal, REJECTED, "the archive takes more than %s s to read",
               "20");
    else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        refuse(refusal, REJECTED, "the archive cannot be read: %s",
               "libarchive fails on it");
    else
        refuse(refusal, INTERNAL, "the process that reads archives %s",
               "could not do its work");
}

static void drop_sources(struct source *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(wanted[i].text);
        wanted[i].text = NULL;
        wanted[i].length = 0;
    }
}

static const char no_answer[] = "no answer";

void archive_take(int fd, const char *name, struct source *wanted,
                  size_t count, struct refusal *refusal)
{
    double deadline = clock_seconds() + 2 * UNPACK_SECONDS;
    int pipe_fds[2], status = 0;
    bool is_late;
    pid_t child, parent = getpid();

    refuse(refusal, INTERNAL, "%s", no_answer);
    if (pipe(pipe_fds)) {
        refuse(refusal, INTERNAL, "pipe: %s", strerror(errno));
        return;
    }
    child = fork();
    if (child == 0)
        run_child(fd, name, wanted, count, pipe_fds[1], parent);
    close(pipe_fds[1]);
    while (child > 0
           && take_record(pipe_fds[0], wanted, count, deadline, refusal))
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
    if (refusal->verdict != PASS)
        drop_sources(wanted, count);
}
