/* SPDX-License-Identifier: MIT */
/* Reading an instrumented runner's report, an untrusted file.
 *
 * A forked child, without privileges and with little time, parses it, checks
 * each member's range, and does with it all that the grader will do.  What then
 * comes back through a pipe is the report that jansson wrote from what it read;
 * a report on which the child ends in any other way is refused. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/failure.h"
#include "common/base/sandbox.h"
#include "common/base/text.h"
#include "report_fields.h"
#include "watch.h"

enum {
    REPORT_BYTES = 1 << 20, /* the largest lab's has 100 kB */
    READ_SECONDS = 10,      /* of the child; it takes milliseconds */
    REASON_BYTES = 256
};

/* First byte of what the child sends: the report, or why there is none, by the
 * report's fault or by ours. */
enum { SENT_REPORT = 'R', SENT_REASON = 'E', SENT_FAULT = 'F' };
enum { CHILD_FAULT = 3 /* its exit status when it cannot even send that */ };

/* A regular file of limited size: the submission can write to the folder, too,
 * and may have made a link, a pipe or a device. */
static int open_regular_file(const char *path, char *reason, bool *is_ours)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about = {0};

    if (fd < 0 || fstat(fd, &about)) {
        *is_ours = error_is_ours(errno);
        text_format(reason, REASON_BYTES, "no report: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    if (!S_ISREG(about.st_mode)
        || about.st_size > REPORT_BYTES) {
        text_format(reason, REASON_BYTES,
                    "its report is not a regular file of at most %d MiB",
                    REPORT_BYTES >> 20);
        close(fd);
        return -1;
    }
    return fd;
}

/* At most `room` bytes, to the end of the file or until `deadline` passes.
 *  @param[out] failed  the end was not reached because of an error */
static size_t read_to_end(int fd, char *text, size_t room, double deadline,
                          bool *failed)
{
    size_t length = 0;

    while (length < room && clock_seconds() < deadline && !interrupted()) {
        ssize_t got = read(fd, text + length, room - length);

        if (got == 0)
            break;
        if (got > 0)
            length += (size_t)got;
        else if (errno == EAGAIN)
            usleep(200);
        else if (errno != EINTR) {
            *failed = true;
            break;
        }
    }
    return length;
}

/* --- the child ------------------------------------------------------------ */

static void send_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t sent = write(fd, text, length);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            _exit(CHILD_FAULT);
        text += sent;
        length -= (size_t)sent;
    }
}

static void send_reason(int fd, char kind, const char *reason)
{
    send_all(fd, &kind, 1);
    send_all(fd, reason, strlen(reason));
    _exit(0);
}

/* Do with a report all that the grader will do; it must come to an end here. */
static void rehearse(const json_t *report)
{
    static struct watch watch;
    double value;
    bool is_complete;

    for (int i = 0; i < METRICS; i++)
        metric_read(report, (enum metric)i, &value, &is_complete);
    collect_findings(report, &watch);
    if (!isfinite(scaled_modeled_us(report)))
        abort();
}

/* A user id that no runner has: 600000 is the first of theirs. */
enum { READER_USER = 599999 };

static void run_child(int fd, const char *text, size_t length, uid_t user)
{
    const struct rlimit seconds = {READ_SECONDS, READ_SECONDS};
    char reason[REASON_BYTES], *sent;
    json_error_t error;
    json_t *report;

    signal(SIGFPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &(const struct rlimit){0, 0});
    if (!process_drop_privileges(user))
        send_reason(fd, SENT_FAULT, "its reader cannot give up its privileges");
    report = json_loadb(text, length, 0, &error);
    if (!report && json_error_code(&error) == json_error_out_of_memory)
        send_reason(fd, SENT_FAULT, "no memory to read it");
    if (!report_is_in_range(report, reason, sizeof reason))
        send_reason(fd, SENT_REASON, reason);
    rehearse(report);
    sent = json_dumps(report, JSON_COMPACT);
    if (!sent)
        send_reason(fd, SENT_FAULT, "no memory to read it");
    if (strlen(sent) > REPORT_BYTES)
        send_reason(fd, SENT_REASON, "its report is too large");
    send_all(fd, (const char[]){SENT_REPORT}, 1);
    send_all(fd, sent, strlen(sent));
    _exit(0);
}

/* --- the grader's side ---------------------------------------------------- */

/* How the child ended. */
enum child_end { CHILD_SENT, CHILD_BROKE /* on the report */, CHILD_FAILED };

/* Kill and reap the child.  One that another process killed, or that could not
 * send what it had read, tells nothing of the report. */
static enum child_end end_child(pid_t child, bool is_done)
{
    int status = 0;

    if (!is_done)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    tree_register(child, false);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return CHILD_SENT;
    return is_done && ((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
                       || (WIFEXITED(status)
                           && WEXITSTATUS(status) == CHILD_FAULT))
               ? CHILD_FAILED : CHILD_BROKE;
}

/* Run the child on the bytes of the file.
 *  @param[out] answer  its answer, room for REPORT_BYTES + 2
 *  @param[out] is_ours  it failed, and not because of the report
 *  @return bytes of the answer; 0: it failed */
static size_t ask_child(const char *text, size_t length, char *answer,
                        bool *is_ours)
{
    const double deadline = clock_seconds() + READ_SECONDS;
    const uid_t user =
        geteuid() == 0 && sandbox_has_user(READER_USER) ? READER_USER : 0;
    enum child_end end = CHILD_FAILED;
    int ends[2];
    size_t got = 0;
    pid_t child;

    *is_ours = true;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return 0;
    child = fork();
    if (child == 0) {
        fcntl(ends[1], F_SETFL, 0);
        run_child(ends[1], text, length, user);
    }
    close(ends[1]);
    *is_ours = child < 0;
    if (child > 0) {
        tree_register(child, true);
        got = read_to_end(ends[0], answer, REPORT_BYTES + 1, deadline,
                          is_ours);
    }
    close(ends[0]); /* it must not wait for us to read on */
    if (child > 0)
        end = end_child(child, clock_seconds() < deadline);
    *is_ours |= end == CHILD_FAILED;
    if (end != CHILD_SENT || *is_ours)
        got = 0;
    answer[got] = 0;
    return got;
}

static json_t *parse_answer(const char *answer, size_t got, char *reason,
                            bool *is_ours)
{
    json_error_t error;
    json_t *report;

    if (got > 1 && answer[0] == SENT_REPORT) {
        report = json_loadb(answer + 1, got - 1, 0, &error);
        *is_ours = !report; /* it is what jansson wrote */
        text_format(reason, REASON_BYTES, "no memory to read it");
        return report;
    }
    *is_ours |= got > 1 && answer[0] == SENT_FAULT;
    if (got > 1)
        text_format(reason, REASON_BYTES, "%s", answer + 1);
    else
        text_format(reason, REASON_BYTES, *is_ours
                    ? "its reader had no process, pipe or memory"
                    : "its report ended the reader");
    make_printable(reason);
    return NULL;
}

json_t *read_report(const char *path, char *reason, bool *is_ours)
{
    char *text, *answer;
    json_t *report = NULL;
    int fd;

    *is_ours = false;
    fd = open_regular_file(path, reason, is_ours);
    if (fd < 0)
        return NULL;
    text = malloc(REPORT_BYTES + 1);
    answer = malloc(REPORT_BYTES + 2);
    text_format(reason, REASON_BYTES, "it cannot be read: %s",
                strerror(text && answer ? EIO : ENOMEM));
    *is_ours = !text || !answer;
    if (!*is_ours) {
        size_t length = read_to_end(fd, text, REPORT_BYTES + 1, HUGE_VAL,
                                    is_ours);
        size_t got = 0;

        if (!*is_ours && length <= REPORT_BYTES)
            got = ask_child(text, length, answer, is_ours);
        report = parse_answer(answer, got, reason, is_ours);
    }
    close(fd);
    free(text);
    free(answer);
    return report;
}
