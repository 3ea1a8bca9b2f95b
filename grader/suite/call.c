/* SPDX-License-Identifier: MIT */
/* Stubs written by hand: describe a call and send it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printed.h"
#include "state.h"
#include "suite.h"

/* The next free argument; a suite must not use too many. */
static struct arg *next_argument(enum arg_kind kind)
{
    struct frame *frame = &suite_state.frame;

    if (frame->count >= FRAME_MAX_ARGS)
        abort();
    frame->arg[frame->count] = (struct arg){.kind = (uint8_t)kind};
    return &frame->arg[frame->count++];
}

static void add_array(enum arg_kind kind, enum place place, const void *data,
                      size_t bytes)
{
    struct arg *arg = next_argument(kind);

    arg->on_device = place == ON_DEVICE;
    arg->bytes = bytes;
    arg->data = (void *)(uintptr_t)data;
}

void call_begin(uint32_t function)
{
    suite_state.frame = (struct frame){.function = function};
    suite_state.parameters = NULL;
    suite_state.inputs = 0;
}

void call_parameters(const char *names)
{
    suite_state.parameters = names;
}

void call_in(enum place place, const void *data, size_t bytes)
{
    add_array(ARG_IN, place, data, bytes);
}

void call_out(enum place place, void *data, size_t bytes)
{
    add_array(ARG_OUT, place, data, bytes);
}

void call_inout(enum place place, void *data, size_t bytes)
{
    add_array(ARG_INOUT, place, data, bytes);
}

void call_decoded(const void *data, size_t bytes)
{
    suite_state.decoded = (struct arg){.kind = ARG_DECODED, .bytes = bytes,
                                       .data = (void *)(uintptr_t)data};
}

void call_misalign(size_t bytes)
{
    struct frame *frame = &suite_state.frame;

    frame->arg[frame->count - 1].misalign = (uint16_t)bytes;
}

void call_sparse(size_t bytes, size_t element)
{
    struct frame *frame = &suite_state.frame;

    frame->arg[frame->count - 1].integer = (int64_t)bytes;
    suite_state.element_bytes[frame->count - 1] = (unsigned char)element;
}

void call_integer(int64_t value)
{
    next_argument(ARG_INTEGER)->integer = value;
}

void call_real(double value)
{
    next_argument(ARG_REAL)->real = value;
}

void suite_use_schedule(unsigned schedule_seed)
{
    session_kill(suite_state.session);
    suite_state.session->schedule_seed = schedule_seed;
}

void suite_use_multiprocessors(unsigned count)
{
    session_kill(suite_state.session);
    suite_state.session->multiprocessors = count;
}

void suite_sample_blocks(void)
{
    session_kill(suite_state.session);
    suite_state.session->sampled = true;
}

bool suite_use_sparse_memory(void)
{
    enum { MOST_SECONDS = 3 };
    struct suite_state *state = &suite_state;

    if (state->session->gpu || state->most_bytes || state->counters
        || state->mode != CALL_LAB || suite_failed())
        return false;
    if (state->sparse)
        return true;
    session_kill(state->session);
    state->session->sparse = state->sparse = true;
    state->session->independent_blocks = false;
    state->call_seconds = state->session->limits.seconds;
    if (state->call_seconds > MOST_SECONDS)
        state->session->limits.seconds = MOST_SECONDS;
    return true;
}

void suite_blocks_are_independent(void)
{
    suite_state.session->independent_blocks = true;
}

bool suite_is_same_call(void)
{
    const struct frame *now = &suite_state.frame;
    const struct frame *before = &suite_state.previous_frame;

    for (unsigned i = 0; i < now->count && i < before->count; i++)
        if (now->arg[i].kind != before->arg[i].kind
            || now->arg[i].bytes != before->arg[i].bytes
            || now->arg[i].integer != before->arg[i].integer)
            return false;
    return now->count > 0 && now->count == before->count
           && now->function == before->function;
}

size_t suite_grid_blocks(void)
{
    const struct facts *f = &suite_state.reply.facts;

    return f->counted && f->launches
               ? (size_t)f->grid[0] * f->grid[1] * f->grid[2] : 0;
}

int suite_rows_beyond_grid(int rows, int most)
{
    enum { BLOCKS = 65625 };
    const struct facts *f = &suite_state.reply.facts;
    const size_t blocks = suite_grid_blocks(); /* 0: a grid without blocks */
    size_t each = (size_t)most, beyond;

    if (blocks && f->launches == 1 && !f->graph_launches) {
        if (f->grid[1] == 1 && f->grid[2] == 1)
            return 0;
        each = ((size_t)rows - 1) / blocks + 1;
    }
    beyond = BLOCKS * (each < (size_t)most ? each : (size_t)most) + 1;
    return suite_failed() || beyond < 2 * (size_t)rows ? 0 : (int)beyond;
}

/* "; it was running at add.cu:7", from the reply's message. */
static void keep_running_line(struct suite_state *state)
{
    const char *at = strstr(state->reply.message, "; it was running at ");
    const char *end = at ? strstr(at + 2, ": ") : NULL;

    snprintf(state->slow_at, sizeof state->slow_at, "%.*s",
             end ? (int)(end - at) : 0, at ? at : "");
}

/* One block for all of a sparse array takes its time; a copy of it within the
 * host, or a fill, takes memory, too. */
static bool is_slow_in_sparse_memory(struct suite_state *state)
{
    if (!state->sparse || (state->reply.verdict != TIMEOUT
                           && state->reply.verdict != MEMORY))
        return false;
    state->is_slow = state->reply.verdict == TIMEOUT;
    keep_running_line(state);
    state->reply = (struct reply){.verdict = PASS,
                                  .cpu_seconds = state->reply.cpu_seconds};
    return true;
}

/* Has the call too large arrays for an instrumented runner?  Ends the test. */
static bool is_too_large(const struct suite_state *state)
{
    size_t bytes = 0;

    for (unsigned i = 0; i < state->frame.count; i++)
        bytes += state->frame.arg[i].bytes;
    if (!state->most_bytes || bytes <= state->most_bytes)
        return false;
    suite_fail(UNMEASURED, "too large to be instrumented");
    return true;
}

int64_t call_end(void)
{
    struct suite_state *state = &suite_state;
    bool came_back;

    if (state->decoded.kind)
        *next_argument(ARG_DECODED) = state->decoded;
    state->decoded = (struct arg){0};
    if (suite_failed() || is_too_large(state))
        return -1;
    state->poison = random_poison();
    state->is_slow = false;
    if (!state->session->alive)
        state->output_seen = 0; /* a new runner */
    came_back = session_call(state->session, &state->frame, state->mode,
                             state->poison, &state->reply);
    process_drain(&state->session->process);
    state->output_seen =
        keep_output(state->outcome, &state->session->process.out,
                    state->output_seen, state->case_text);
    state->outcome->seconds = state->reply.seconds;
    if (!came_back && is_slow_in_sparse_memory(state))
        return 0;
    if (!came_back) {
        memcpy(state->outcome->review, state->reply.review, REVIEW_SIZE);
        suite_fail(state->reply.verdict, "%s", state->reply.message);
        return -1;
    }
    return state->mode == CALL_EMPTY ? 0 : state->reply.status;
}

bool suite_call_is_empty(void)
{
    const struct frame *frame = &suite_state.frame;
    uint32_t arrays = 0;
    size_t bytes = 0;

    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];

        arrays += arg->kind <= ARG_INOUT;
        bytes += arg->kind <= ARG_INOUT ? arg->bytes : 0;
    }
    return arrays > 0 && bytes == 0;
}

const struct arg *suite_output_argument(const struct expected *expected,
                                        unsigned *index)
{
    const struct frame *frame = &suite_state.frame;
    const size_t bytes =
        expected_count(expected) * element_bytes(expected->type);
    const uintptr_t got = (uintptr_t)expected->got;

    for (*index = 0; *index < frame->count; ++*index) {
        const struct arg *arg = &frame->arg[*index];
        const uintptr_t data = (uintptr_t)arg->data;

        if (arg_is_output(arg) && got >= data && got - data <= arg->bytes
            && bytes <= arg->bytes - (got - data))
            return arg;
    }
    return NULL;
}
