/* SPDX-License-Identifier: MIT */
/* The runner: the untrusted program that a submission is linked with.
 *
 * It serves calls from the channel until the channel closes
 * (channel/message.h). It knows no expected result, no seed and no score. Only
 * the bytes of the outputs that it sends can earn points.  Exit status: 0 the
 * channel closed, 3 a malformed message, 4 no memory for the arrays. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "graph_capture.h"
#include "device.h"
#include "submission.h"
#include "variant.h"

enum { EXIT_PROTOCOL = 3, EXIT_MEMORY = 4 };

/* The last call, until the next one or the end. */
static struct {
    struct frame frame;
    struct arrays arrays;
    unsigned char *message;
} last;

static void free_last_call(void)
{
    if (last.message)
        arrays_free(&last.arrays, &last.frame);
    free(last.message);
    last.message = NULL;
}

/* Reads exactly `length` bytes.  Exits when the channel closes. */
static void receive(void *to, size_t length)
{
    unsigned char *at = to;

    while (length > 0) {
        ssize_t got = read(CHANNEL_FD, at, length);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            free_last_call();
            runner_exit();
        }
        at += got;
        length -= (size_t)got;
    }
}

static void send_all(const void *from, size_t length)
{
    const unsigned char *at = from;

    while (length > 0) {
        ssize_t sent = write(CHANNEL_FD, at, length);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            runner_exit();
        at += sent;
        length -= (size_t)sent;
    }
}

static void send_header(enum message_type type, uint64_t sequence,
                        uint64_t length)
{
    struct header header = {MESSAGE_MAGIC, type, sequence, length};

    send_all(&header, sizeof header);
}

/* Reads the next header, which must be of this type.  Returns its length. */
static uint64_t receive_header(enum message_type type, uint64_t sequence,
                               uint64_t max_length)
{
    struct header header;

    receive(&header, sizeof header);
    if (!header_is_valid(&header, type, sequence, max_length))
        _exit(EXIT_PROTOCOL);
    return header.length;
}

static void send_output(const struct frame *frame, const struct arrays *arrays,
                        const struct facts *facts, uint64_t sequence)
{
    send_header(MSG_OUTPUT, sequence,
                sizeof *facts + frame_output_bytes(frame));
    send_all(facts, sizeof *facts);
    for (uint32_t i = 0; i < frame->count; i++)
        if (arg_is_output(&frame->arg[i]))
            send_all(arrays->staging[i], frame->arg[i].bytes);
}

static int64_t call_submission(const struct frame *frame)
{
    int64_t status;

    device_set_in_submission(true);
    status = submission_call(frame);
    device_set_in_submission(false);
    return status;
}

/* The timed part: from RUN to DONE. */
static struct completion timed_call(const struct frame *frame,
                                    enum call_mode mode, struct arrays *arrays,
                                    uint64_t key)
{
    struct completion completion = {0};

    if (mode == CALL_LAB)
        completion.status = call_submission(frame);
    else if (mode == CALL_IN_GRAPH)
        completion.status = call_captured(call_submission, frame);
    arrays_copy_host_outputs(arrays, frame);
    device_synchronize_stream();
    completion.digest = arrays_digest(arrays, frame, key);
    return completion;
}

static void serve_call(uint64_t sequence, size_t length)
{
    unsigned char *message = malloc(length + 1);
    struct reader in = {message, length, false};
    struct frame sent, frame;
    struct arrays arrays;
    struct facts facts = {0};
    struct completion completion;
    uint64_t poison, mode, failing_call, key;

    if (!message)
        _exit(EXIT_MEMORY);
    receive(message, length);
    poison = reader_u64(&in);
    mode = reader_u64(&in);
    failing_call = reader_u64(&in);
    if (frame_parse(&sent, &in))
        _exit(EXIT_PROTOCOL);
    frame = sent;
    if (arrays_place(&arrays, &frame, poison))
        _exit(EXIT_MEMORY);
    device_reset_counters((unsigned)failing_call);
    submission_observe(&sent, &frame, &arrays);
    send_header(MSG_READY, sequence, 0);
    if (receive_header(MSG_RUN, sequence, sizeof key) != sizeof key)
        _exit(EXIT_PROTOCOL);
    receive(&key, sizeof key);
    completion = timed_call(&frame, (enum call_mode)mode, &arrays, key);
    fflush(stdout); /* to be shown with this call */
    send_header(MSG_DONE, sequence, sizeof completion);
    send_all(&completion, sizeof completion);
    arrays_copy_outputs(&arrays, &frame);
    device_read_counters(&facts, completion.status);
    submission_report(&facts);
    arrays_check(&arrays, &frame, &sent, &facts);
    send_output(&frame, &arrays, &facts, sequence);
    last.frame = frame;
    last.arrays = arrays;
    last.message = message;
}

/* Says who stored an element of the last call, or where a basic block is. */
static void answer(uint64_t sequence)
{
    struct store_question question;
    struct store_answer store = {0};
    const struct arg *arg = NULL;

    receive(&question, sizeof question);
    if (last.message && question.argument >= 0
        && question.argument < last.frame.count)
        arg = &last.frame.arg[question.argument];
    if (question.argument == ASK_LINE)
        runner_site_line(question.offset, &store);
    else if (arg && arg_is_output(arg) && arg->on_device
             && question.offset < arg->bytes)
        runner_stored_at((char *)arg->data + question.offset, &store);
    send_header(MSG_STORE, sequence, sizeof store);
    send_all(&store, sizeof store);
}

/* Serves the next message.  Returns the number of the last call. */
static uint64_t serve_message(uint64_t calls)
{
    struct header header;

    receive(&header, sizeof header);
    if (header_is_valid(&header, MSG_ASK, calls, sizeof(struct store_question))
        && header.length == sizeof(struct store_question)) {
        answer(calls);
        return calls;
    }
    free_last_call();
    if (!header_is_valid(&header, MSG_CALL, calls + 1, MESSAGE_MAX_BYTES))
        _exit(EXIT_PROTOCOL);
    serve_call(calls + 1, header.length);
    return calls + 1;
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* of a call that hangs, too */
    device_init();
    submission_start();
    for (uint64_t calls = 0;;)
        calls = serve_message(calls);
}
