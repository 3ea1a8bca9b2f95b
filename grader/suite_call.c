/* SPDX-License-Identifier: MIT */
/* The stub's side of suite.h: describe a call, ship it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite_state.h"

/* Next free argument; too many is a defect of the suite. */
static struct arg *next(enum arg_kind kind)
{
    struct frame *frame = &suite_state.frame;

    if (frame->count >= FRAME_ARGS)
        abort();
    frame->arg[frame->count] = (struct arg){.kind = (uint8_t)kind};
    return &frame->arg[frame->count++];
}

static void array(enum arg_kind kind, enum place place, const void *data,
                  size_t bytes)
{
    struct arg *arg = next(kind);

    arg->on_device = place == ON_DEVICE;
    arg->bytes = bytes;
    arg->data = (void *)(uintptr_t)data;
}

void call_begin(uint32_t function)
{
    suite_state.frame = (struct frame){.function = function};
    suite_state.parameters = NULL;
}

void call_parameters(const char *names)
{
    suite_state.parameters = names;
}

void call_in(enum place place, const void *data, size_t bytes)
{
    array(ARG_IN, place, data, bytes);
}

void call_out(enum place place, void *data, size_t bytes)
{
    array(ARG_OUT, place, data, bytes);
}

void call_inout(enum place place, void *data, size_t bytes)
{
    array(ARG_INOUT, place, data, bytes);
}

void call_misalign(size_t bytes)
{
    struct frame *frame = &suite_state.frame;

    frame->arg[frame->count - 1].misalign = (uint16_t)bytes;
}

void call_integer(int64_t value)
{
    next(ARG_INTEGER)->integer = value;
}

void call_real(double value)
{
    next(ARG_REAL)->real = value;
}

void suite_reorder(unsigned order)
{
    session_end(suite_state.session);
    suite_state.session->order = order;
}

int64_t call_end(void)
{
    struct suite_state *state = &suite_state;
    bool came_back;

    if (suite_failed())
        return -1;
    state->poison = random_bits();
    came_back = session_call(state->session, &state->frame, state->mode,
                             state->poison, &state->answer);
    state->outcome->seconds = state->answer.seconds;
    if (!came_back) {
        memcpy(state->outcome->review, state->answer.review, REVIEW_TEXT);
        suite_fail(state->answer.verdict, "%s", state->answer.message);
        return -1;
    }
    return state->mode == CALL_NOTHING ? 0 : state->answer.status;
}
