/* SPDX-License-Identifier: MIT */
/* The runner: the program around a student's code.
 *
 * It serves calls from the channel until that closes (channel/message.h).  It
 * knows no answer, no seed and no score, and nothing it says earns a point but
 * the bytes of the outputs.  Exit status: 0 the channel closed, 3 the message
 * made no sense, 4 no memory for the arrays. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "capture.h"
#include "device.h"
#include "thunk.h"
#include "variant.h"

enum { EXIT_PROTOCOL = 3, EXIT_MEMORY = 4 };

/* Reads exactly `length` bytes.  Leaves the process when the channel ends. */
static void receive(void *to, size_t length)
{
    unsigned char *at = to;

    while (length > 0) {
        ssize_t got = read(CHANNEL_FD, at, length);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            runner_leave();
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
            runner_leave();
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

/* Reads the header of the message that must come next; returns its length. */
static uint64_t expect(enum message_type type, uint64_t sequence,
                       uint64_t most)
{
    struct header header;

    receive(&header, sizeof header);
    if (!header_ok(&header, type, sequence, most))
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
        if (arg_comes_back(&frame->arg[i]))
            send_all(arrays->staging[i], frame->arg[i].bytes);
}

static int64_t call_lab(const struct frame *frame)
{
    int64_t status;

    device_lend(true);
    status = runner_call(frame);
    device_lend(false);
    return status;
}

/* The timed part: from GO to DONE. */
static struct done timed_call(const struct frame *frame, enum call_mode mode,
                              struct arrays *arrays, uint64_t key)
{
    struct done done = {0};

    if (mode == CALL_LAB)
        done.status = call_lab(frame);
    else if (mode == CALL_CAPTURED)
        done.status = captured_call(call_lab, frame);
    arrays_keep(arrays, frame);
    device_wait();
    done.digest = arrays_digest(arrays, frame, key);
    return done;
}

static void serve(uint64_t sequence)
{
    size_t length = expect(MSG_CALL, sequence, MESSAGE_BYTES);
    unsigned char *message = malloc(length + 1);
    struct reader in = {message, length, false};
    struct frame sent, frame;
    struct arrays arrays;
    struct facts facts = {0};
    struct done done;
    uint64_t poison, mode, key;

    if (!message)
        _exit(EXIT_MEMORY);
    receive(message, length);
    poison = read64(&in);
    mode = read64(&in);
    if (frame_read(&sent, &in))
        _exit(EXIT_PROTOCOL);
    frame = sent;
    if (arrays_place(&arrays, &frame, poison))
        _exit(EXIT_MEMORY);
    device_watch();
    send_header(MSG_READY, sequence, 0);
    if (expect(MSG_GO, sequence, sizeof key) != sizeof key)
        _exit(EXIT_PROTOCOL);
    receive(&key, sizeof key);
    done = timed_call(&frame, (enum call_mode)mode, &arrays, key);
    send_header(MSG_DONE, sequence, sizeof done);
    send_all(&done, sizeof done);
    arrays_fetch(&arrays, &frame);
    device_facts(&facts, done.status);
    arrays_inspect(&arrays, &frame, &sent, &facts);
    send_output(&frame, &arrays, &facts, sequence);
    arrays_free(&arrays, &frame);
    free(message);
}

int main(void)
{
    device_start();
    for (uint64_t sequence = 1;; sequence++)
        serve(sequence);
}
