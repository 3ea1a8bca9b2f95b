/* SPDX-License-Identifier: MIT */
/* A conversation with one runner: the messages of channel/message.h.
 *
 * Every length that comes from the runner is checked against what this call
 * must give before a byte of it is read. */
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random.h"
#include "session_why.h"

/* Seconds beside the call itself: starting, copying, a GPU's context. */
enum { OVERHEAD_SECONDS = 10, CONTEXT_SECONDS = 30 };

/* One transfer.  Returns WAIT_READY when all bytes went through; WAIT_ENDED
 * when the channel closed. */
static enum waited receive(struct session *session, void *to, size_t length,
                           double deadline)
{
    unsigned char *at = to;

    while (length > 0) {
        enum waited waited = process_wait(&session->process, POLLIN, deadline);
        ssize_t got;

        if (waited != WAIT_READY)
            return waited;
        got = read(session->process.channel, at, length);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (got <= 0)
            return WAIT_ENDED;
        at += got;
        length -= (size_t)got;
    }
    return WAIT_READY;
}

static enum waited transmit(struct session *session, const void *from,
                            size_t length, double deadline)
{
    const unsigned char *at = from;

    while (length > 0) {
        enum waited waited = process_wait(&session->process, POLLOUT,
                                          deadline);
        ssize_t sent;

        if (waited != WAIT_READY)
            return waited;
        sent = write(session->process.channel, at, length);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (sent <= 0)
            return WAIT_ENDED;
        at += sent;
        length -= (size_t)sent;
    }
    return WAIT_READY;
}

static bool start(struct session *session, struct answer *answer)
{
    char *const arguments[] = {"runner", NULL};
    struct program program = {session->runner, arguments,
                              runner_environment(session->report,
                                                 session->order),
                              session->folder, true};
    int error;

    session_free(session);
    error = process_start(&session->process, &program, &session->limits);
    session->alive = error == 0;
    session->sequence = 0;
    if (!error)
        return true;
    answer->verdict = INTERNAL;
    snprintf(answer->message, sizeof answer->message,
             "cannot start the runner %s: %s", session->runner,
             strerror(error));
    return false;
}

/* Reads the header that must come next, and nothing else. */
static enum waited expect(struct session *session, enum message_type type,
                          uint64_t length, double deadline)
{
    struct header header;
    enum waited waited =
        receive(session, &header, sizeof header, deadline);

    if (waited != WAIT_READY)
        return waited;
    if (!header_ok(&header, type, session->sequence, length)
        || header.length != length)
        return (enum waited)WHY_GARBAGE;
    return WAIT_READY;
}

static enum waited send_call(struct session *session,
                             const struct frame *frame, uint64_t mode,
                             uint64_t poison)
{
    struct bytes message = {0};
    struct header header = {MESSAGE_MAGIC, MSG_CALL, session->sequence, 0};
    double deadline = clock_seconds() + OVERHEAD_SECONDS
                      + (session->gpu ? CONTEXT_SECONDS : 0);
    enum waited waited;

    bytes_put64(&message, poison);
    bytes_put64(&message, mode);
    frame_write(frame, &message);
    header.length = message.length;
    if (message.failed) {
        bytes_free(&message);
        return (enum waited)WHY_OUR_MEMORY;
    }
    waited = transmit(session, &header, sizeof header, deadline);
    if (waited == WAIT_READY)
        waited = transmit(session, message.data, message.length, deadline);
    bytes_free(&message);
    if (waited == WAIT_READY)
        waited = expect(session, MSG_READY, 0, deadline);
    return waited;
}

/* The timed part. */
static enum waited go(struct session *session, uint64_t key,
                      struct done *done, struct answer *answer)
{
    struct {
        struct header header;
        uint64_t key;
    } message = {{MESSAGE_MAGIC, MSG_GO, session->sequence, sizeof key}, key};
    struct process *process = &session->process;
    double cpu = process_cpu(process), start = clock_seconds();
    double deadline = start + session->limits.seconds;
    enum waited waited;

    if (!session->gpu) /* a card's work is on no processor's clock */
        process_mark(process);
    waited = transmit(session, &message, sizeof message, deadline);
    if (waited == WAIT_READY)
        waited = expect(session, MSG_DONE, sizeof *done, deadline);
    if (waited == WAIT_READY)
        waited = receive(session, done, sizeof *done, deadline);
    answer->seconds = clock_seconds() - start;
    answer->cpu_seconds = process_cpu(process) - cpu;
    process->since = 0;
    return waited;
}

/* The outputs, which must be those that the digest promised. */
static enum waited take_output(struct session *session,
                               const struct frame *frame, uint64_t key,
                               const struct done *done, struct facts *facts)
{
    double deadline = clock_seconds() + OVERHEAD_SECONDS;
    uint64_t digest = key;
    enum waited waited =
        expect(session, MSG_OUTPUT,
               sizeof *facts + frame_output_bytes(frame), deadline);

    if (waited == WAIT_READY)
        waited = receive(session, facts, sizeof *facts, deadline);
    for (uint32_t i = 0; i < frame->count && waited == WAIT_READY; i++) {
        const struct arg *arg = &frame->arg[i];

        if (!arg_comes_back(arg))
            continue;
        waited = receive(session, arg->data, arg->bytes, deadline);
        digest = digest_more(digest, arg->data, arg->bytes);
    }
    if (waited == WAIT_READY && digest != done->digest)
        return (enum waited)WHY_LATE;
    return waited;
}

bool session_call(struct session *session, const struct frame *frame,
                  enum call_mode mode, uint64_t poison, struct answer *answer)
{
    uint64_t key = random_secret();
    struct done done = {0};
    enum waited waited;

    *answer = (struct answer){.verdict = PASS};
    if (!session->alive && !start(session, answer))
        return false;
    session->sequence++;
    waited = send_call(session, frame, mode, poison);
    if (waited == WAIT_READY)
        waited = go(session, key, &done, answer);
    if (waited == WAIT_READY)
        waited = take_output(session, frame, key, &done, &answer->facts);
    answer->status = done.status;
    if (waited == WAIT_READY)
        return true;
    session->alive = false;
    explain_end(&session->process, (int)waited, answer);
    return false;
}

bool session_leave(struct session *session, double patience)
{
    struct process *process = &session->process;
    enum waited waited;

    if (!session->alive)
        return false;
    session->alive = false;
    close(process->channel);
    process->channel = -1;
    waited = process_wait(process, 0, clock_seconds() + patience);
    process_stop(process, waited == WAIT_ENDED ? 1 : 0);
    return waited == WAIT_ENDED;
}

void session_end(struct session *session)
{
    if (session->alive)
        process_stop(&session->process, 0);
    session->alive = false;
}

void session_free(struct session *session)
{
    session_end(session);
    process_free(&session->process);
}
