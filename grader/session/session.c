/* SPDX-License-Identifier: MIT */
/* A session with one runner: the messages of channel/message.h.
 *
 * Every length that the runner sends is compared with the length that this
 * call must have before any of its bytes are read. */
#include "session.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "canary.h"
#include "common/base/random.h"
#include "common/base/sandbox.h"
#include "common/base/text.h"
#include "run_box.h"
#include "session_end.h"

/* Seconds in addition to the call: starting, copying, creating a context. */
enum { OVERHEAD_SECONDS = 10, CONTEXT_SECONDS = 30 };

/* Seconds that calls may take together: of a test, and of a grade; 0 without
 * a grade.  And those that all calls took. */
static struct {
    double test, test_left, all_left, used;
} budget;

void session_begin_grade(double call_seconds)
{
    budget.test = 3 * call_seconds > 60 ? 3 * call_seconds : 60;
    budget.all_left = 5 * budget.test;
    session_begin_test();
}

void session_begin_test(void)
{
    budget.test_left = budget.test;
}

/* State kept for the next call. */
static double call_limit(const struct session *session)
{
    double limit = session->limits.seconds;

    if (budget.test > 0 && budget.test_left < limit)
        limit = budget.test_left;
    if (budget.test > 0 && budget.all_left < limit)
        limit = budget.all_left;
    return limit > 0.001 ? limit : 0.001;
}

static void spend(double seconds)
{
    budget.test_left -= seconds;
    budget.all_left -= seconds;
    budget.used += seconds;
}

double session_seconds_used(void)
{
    return budget.used;
}

/* One transfer.  @return WAIT_READY after all bytes, WAIT_ENDED when the
 * channel was closed */
static enum wait_result receive(struct session *session, void *to,
                                size_t length, double deadline)
{
    unsigned char *at = to;

    while (length > 0) {
        enum wait_result wait_result =
            process_wait(&session->process, POLLIN, deadline);
        ssize_t got;

        if (wait_result != WAIT_READY)
            return wait_result;
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

static enum wait_result transmit(struct session *session, const void *from,
                                 size_t length, double deadline)
{
    const unsigned char *at = from;

    while (length > 0) {
        enum wait_result wait_result = process_wait(&session->process, POLLOUT,
                                                    deadline);
        ssize_t sent;

        if (wait_result != WAIT_READY)
            return wait_result;
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

/* With the limits of process_start(). */
static bool start_unboxed(struct session *session,
                          const struct program *program, char *problem)
{
    struct limits limits = session->limits;
    int error;

    if (!sandbox_is_closed(&session->limits, session->folder, problem,
                           BOX_REASON))
        return false;
    limits.isolate = sandbox_has_namespaces();
    if (limits.isolate)
        sandbox_bound_folder(session->folder); /* of a user: it may not */
    error = process_start(&session->process, program, &limits);
    if (error)
        text_format(problem, BOX_REASON, "cannot start the runner %.200s: %s",
                    session->runner, strerror(error));
    return error == 0;
}

static bool start_runner(struct session *session, struct reply *reply)
{
    char *const arguments[] = {"runner", NULL};
    const struct program program = {
        .path = session->runner, .arguments = arguments,
        .environment = runner_environment(session),
        .folder = session->folder, .channel = true, .by_descriptor = true};
    char problem[BOX_REASON];

    session_free(session);
    session->alive = box_tier_in_use() == TIER_D
                         ? start_unboxed(session, &program, problem)
                         : run_box_start(session, &program, problem);
    session->sequence = 0;
    if (session->alive)
        return true;
    reply->verdict = INTERNAL;
    text_format(reply->message, sizeof reply->message,
                "no sandbox, no grade: %s", problem);
    return false;
}

/* Receive the header that must come next. */
static enum wait_result expect_header(struct session *session,
                                      enum message_type type, uint64_t length,
                                      double deadline)
{
    struct header header;
    enum wait_result wait_result =
        receive(session, &header, sizeof header, deadline);

    if (wait_result != WAIT_READY)
        return wait_result;
    if (!header_is_valid(&header, type, session->sequence, length)
        || header.length != length)
        return (enum wait_result)END_PROTOCOL_ERROR;
    return WAIT_READY;
}

/* From where they are: a copy of large arrays would cost more than to send
 * them. */
static enum wait_result transmit_inputs(struct session *session,
                                        const struct frame *frame,
                                        double deadline)
{
    enum wait_result wait_result = WAIT_READY;

    for (uint32_t i = 0; i < frame->count && wait_result == WAIT_READY; i++)
        if (arg_is_input(&frame->arg[i]))
            wait_result = transmit(session, frame->arg[i].data,
                                   frame->arg[i].bytes, deadline);
    return wait_result;
}

static enum wait_result send_call(struct session *session,
                                  const struct frame *frame, uint64_t mode,
                                  uint64_t poison)
{
    struct bytes message = {0};
    struct header header = {MESSAGE_MAGIC, MSG_CALL, session->sequence, 0};
    double deadline = clock_seconds() + OVERHEAD_SECONDS
                      + (session->gpu ? CONTEXT_SECONDS : 0);
    enum wait_result wait_result;

    buffer_append_u64(&message, poison);
    buffer_append_u64(&message, mode);
    buffer_append_u64(&message, session->failing_call);
    frame_describe(frame, &message);
    header.length = message.length + frame_input_bytes(frame);
    if (message.failed) {
        buffer_free(&message);
        return (enum wait_result)END_OUT_OF_MEMORY;
    }
    wait_result = transmit(session, &header, sizeof header, deadline);
    if (wait_result == WAIT_READY)
        wait_result = transmit(session, message.data, message.length, deadline);
    if (wait_result == WAIT_READY)
        wait_result = transmit_inputs(session, frame, deadline);
    buffer_free(&message);
    if (wait_result == WAIT_READY)
        wait_result = expect_header(session, MSG_READY, 0, deadline);
    return wait_result;
}

/* The timed part: from RUN to DONE. */
static enum wait_result run_timed_call(struct session *session, uint64_t key,
                                       struct completion *completion,
                                       struct reply *reply)
{
    struct {
        struct header header;
        uint64_t key;
    } message = {{MESSAGE_MAGIC, MSG_RUN, session->sequence, sizeof key}, key};
    struct process *process = &session->process;
    double cpu = process_cpu(process), start_runner = clock_seconds();
    double deadline;
    enum wait_result wait_result;

    process->limits.seconds = call_limit(session);
    deadline = start_runner + process->limits.seconds;
    if (!session->gpu) /* work of a card takes no processor time */
        process_start_clock(process);
    wait_result = transmit(session, &message, sizeof message, deadline);
    if (wait_result == WAIT_READY)
        wait_result =
            expect_header(session, MSG_DONE, sizeof *completion, deadline);
    if (wait_result == WAIT_READY)
        wait_result =
            receive(session, completion, sizeof *completion, deadline);
    reply->seconds = clock_seconds() - start_runner;
    reply->cpu_seconds = process_cpu(process) - cpu;
    spend(reply->seconds - process_starved(process));
    process->clock_start = 0;
    return wait_result;
}

/* The outputs, which must have the digest of DONE. */
static enum wait_result receive_output(struct session *session,
                                       const struct frame *frame, uint64_t key,
                                       const struct completion *completion,
                                       struct facts *facts)
{
    double deadline = clock_seconds() + OVERHEAD_SECONDS;
    uint64_t digest = key;
    enum wait_result wait_result =
        expect_header(session, MSG_OUTPUT,
                      sizeof *facts + frame_output_bytes(frame), deadline);

    if (wait_result == WAIT_READY)
        wait_result = receive(session, facts, sizeof *facts, deadline);
    for (uint32_t i = 0; i < frame->count && wait_result == WAIT_READY; i++) {
        const struct arg *arg = &frame->arg[i];

        if (!arg_is_output(arg))
            continue;
        wait_result = receive(session, arg->data, arg->bytes, deadline);
        digest = digest_update(digest, arg->data, arg->bytes);
    }
    if (wait_result == WAIT_READY && digest != completion->digest)
        return (enum wait_result)END_DIGEST_MISMATCH;
    return wait_result;
}

bool session_call(struct session *session, const struct frame *frame,
                  enum call_mode mode, uint64_t poison, struct reply *reply)
{
    uint64_t key = random_system_seed();
    struct completion completion = {0};
    enum wait_result wait_result;

    *reply = (struct reply){.verdict = PASS};
    if (!session->alive && !start_runner(session, reply))
        return false;
    session->sequence++;
    wait_result = send_call(session, frame, mode, poison);
    if (wait_result == WAIT_READY)
        wait_result = run_timed_call(session, key, &completion, reply);
    if (wait_result == WAIT_READY)
        wait_result =
            receive_output(session, frame, key, &completion, &reply->facts);
    reply->status = completion.status;
    if (wait_result == WAIT_READY && session->box
        && box_folder_is_full(session->box))
        wait_result = (enum wait_result)END_FOLDER_FULL;
    if (wait_result == WAIT_READY)
        return true;
    session->alive = false;
    session_explain_end(session, (int)wait_result, reply);
    return false;
}

bool session_ask(struct session *session,
                 const struct store_question *question,
                 struct store_answer *answer)
{
    struct {
        struct header header;
        struct store_question question;
    } message = {{MESSAGE_MAGIC, MSG_ASK, session->sequence, sizeof *question},
                 *question};
    const double deadline = clock_seconds() + OVERHEAD_SECONDS;
    enum wait_result wait_result = WAIT_ENDED;

    *answer = (struct store_answer){0};
    if (!session->alive)
        return false;
    wait_result = transmit(session, &message, sizeof message, deadline);
    if (wait_result == WAIT_READY)
        wait_result = expect_header(session, MSG_STORE, sizeof *answer,
                                    deadline);
    if (wait_result == WAIT_READY)
        wait_result = receive(session, answer, sizeof *answer, deadline);
    if (wait_result != WAIT_READY) {
        *answer = (struct store_answer){0};
        session_kill(session);
        return false;
    }
    answer->text[FACT_SIZE - 1] = 0;
    for (char *c = answer->text; *c; c++)
        *c = (char)(isprint((unsigned char)*c) ? *c : '?');
    return true;
}

bool session_close(struct session *session, double grace_seconds)
{
    struct process *process = &session->process;
    enum wait_result wait_result;

    if (!session->alive)
        return false;
    session->alive = false;
    close(process->channel);
    process->channel = -1;
    wait_result = process_wait(process, 0, clock_seconds() + grace_seconds);
    process_stop(process, wait_result == WAIT_ENDED ? 1 : 0);
    return wait_result == WAIT_ENDED;
}

void session_kill(struct session *session)
{
    if (session->alive)
        process_stop(&session->process, 0);
    session->alive = false;
}

void session_free(struct session *session)
{
    session_kill(session);
    process_free(&session->process);
    free(session->box);
    session->box = NULL;
}
