/* SPDX-License-Identifier: MIT */
/* Arguments of generated stubs. */
#include "stub.h"

#include <string.h>

#include "state.h"

void suite_misalign(const char *name, size_t bytes)
{
    struct misalignment *list = suite_state.misaligned;

    for (size_t i = 0; i < SUITE_MISALIGNED; i++)
        if (!list[i].name || !strcmp(list[i].name, name)) {
            list[i] = (struct misalignment){name, bytes};
            return;
        }
}

static size_t misalignment_of(const char *name)
{
    const struct misalignment *list = suite_state.misaligned;

    for (size_t i = 0; i < SUITE_MISALIGNED && list[i].name; i++)
        if (!strcmp(list[i].name, name))
            return list[i].bytes;
    return 0;
}

void suite_in_place(bool in_place)
{
    suite_state.in_place = in_place;
}

void suite_keep_outputs(bool keep)
{
    suite_state.keep_outputs = keep;
}

int64_t suite_allocated(const void *data)
{
    const uintptr_t at = (uintptr_t)data;

    for (struct allocation *a = suite_state.arrays; a; a = a->next) {
        const uintptr_t begin = (uintptr_t)a + SUITE_ALIGNMENT;

        if (at >= begin && at <= begin + a->bytes)
            return (int64_t)(begin + a->bytes - at);
    }
    return INT64_MAX;
}

/* The array's bytes as its dimensions say; 0 where they make no array. */
static size_t array_bytes(const struct call_array *array)
{
    const int64_t allocated = suite_allocated(array->data);
    int64_t bytes = (int64_t)array->element;

    for (size_t i = 0; i < array->dims; i++)
        if (array->dim[i] < 0
            || __builtin_mul_overflow(bytes, array->dim[i], &bytes))
            return 0;
    if (suite_state.sparse && bytes > allocated)
        return (size_t)bytes;
    if (bytes > (int64_t)FRAME_MAX_BYTES)
        return 0;
    return (size_t)(bytes < allocated ? bytes : allocated);
}

static void describe(enum arg_kind kind, enum place place, const void *data,
                     size_t bytes)
{
    void *writable = (void *)(uintptr_t)data;

    if (kind == ARG_IN)
        call_in(place, data, bytes);
    else if (kind == ARG_OUT && !suite_state.keep_outputs)
        call_out(place, writable, bytes);
    else
        call_inout(place, writable, bytes);
}

/* An input may be shown with a wrong result, unless it is overwritten. */
static void note_input(const struct call_array *array)
{
    if (array->kind != ARG_IN || !array->data)
        return;
    if (suite_state.inputs >= SMALL_CASE_ARRAYS
        || !small_array_of(array, &suite_state.input[suite_state.inputs]))
        suite_state.inputs = SIZE_MAX;
    else
        suite_state.inputs++;
}

/* On the device all of the array is sparse; on the host it has the suite's
 * content at its ends. */
static void describe_sparse(const struct call_array *array, size_t bytes)
{
    const size_t content =
        array->place == ON_HOST ? (size_t)suite_allocated(array->data) : 0;

    describe(array->kind, array->place, array->data, content);
    call_sparse(bytes - content, array->element);
}

void call_array(const struct call_array *array)
{
    const bool in_place = suite_state.in_place;
    const size_t bytes = array_bytes(array);

    note_input(array);
    if (!array->data) {
        call_integer(-1);
    } else if (in_place && array->in_place) {
        call_integer(array->in_place_of);
    } else if (in_place && array->overwritten_by) {
        memmove(array->overwritten_by, array->data, bytes);
        describe(ARG_INOUT, array->place, array->overwritten_by, bytes);
        call_misalign(misalignment_of(array->name));
    } else if (suite_state.sparse && (int64_t)bytes
                                         > suite_allocated(array->data)) {
        describe_sparse(array, bytes);
    } else {
        describe(array->kind, array->place, array->data, bytes);
        call_misalign(misalignment_of(array->name));
    }
}

void call_struct(const void *data, size_t bytes)
{
    call_in(ON_HOST, memcpy(suite_bytes(bytes), data, bytes), bytes);
}
