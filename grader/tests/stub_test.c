/* SPDX-License-Identifier: MIT */
/* Arguments that generated stubs pass: sizes, NULL, arrays in place,
 * misalignment. */
#include <stdlib.h>
#include <string.h>

#include "grader/suite/state.h"
#include "grader/suite/stub.h"
#include "common/base/tests/run_tests.h"

static struct outcome outcome;

/* A test begins: no arrays, no arguments. */
static void begin(void)
{
    suite_state = (struct suite_state){.outcome = &outcome};
    call_begin(0);
}

/* Passes a float array of these dimensions.  Returns its argument. */
static const struct arg *pass(enum arg_kind kind, const void *data,
                              int64_t rows, int64_t columns)
{
    call_array(&(struct call_array){
        .name = "d_x", .kind = kind, .place = ON_DEVICE, .data = data,
        .element = sizeof(float), .dims = 2,
        .dim = (const int64_t[]){rows, columns}});
    return &suite_state.frame.arg[suite_state.frame.count - 1];
}

/* The bytes of an array are the product of its sizes. */
static void sizes(void)
{
    static const float outside;
    float *x;

    begin();
    x = suite_floats(12);
    CU_ASSERT_EQUAL(pass(ARG_IN, x, 3, 4)->bytes, 48);
    CU_ASSERT_EQUAL(pass(ARG_IN, x, 3, 0)->bytes, 0);
    CU_ASSERT_EQUAL(pass(ARG_IN, x, -3, 4)->bytes, 0);
    CU_ASSERT_EQUAL(pass(ARG_IN, &outside, (int64_t)1 << 42, 1)->bytes, 0);
    CU_ASSERT_EQUAL(pass(ARG_IN, &outside, INT64_MAX, INT64_MAX)->bytes, 0);
    /* no more than the suite has from there on */
    CU_ASSERT_EQUAL(pass(ARG_IN, x, 30, 4)->bytes, 48);
    CU_ASSERT_EQUAL(pass(ARG_IN, x + 10, 30, 4)->bytes, 8);
    CU_ASSERT_EQUAL(suite_allocated(x + 12), 0);
    CU_ASSERT_EQUAL(suite_allocated(&outside), INT64_MAX);
    test_end();
}

/* NULL is passed as a number, not as an array. */
static void null_pointers(void)
{
    const struct arg *arg;

    begin();
    arg = pass(ARG_OUT, NULL, 3, 4);
    CU_ASSERT_EQUAL(arg->kind, ARG_INTEGER);
    CU_ASSERT_PTR_NULL(frame_pointer(&suite_state.frame, 0));
}

/* The output takes the input's place: one array, in and out. */
static void in_place(void)
{
    const struct call_array in = {.name = "d_x", .kind = ARG_IN,
                                  .place = ON_DEVICE, .element = 4, .dims = 1,
                                  .dim = (const int64_t[]){2}};
    struct call_array x = in, y = in;
    const struct frame *f = &suite_state.frame;
    float *data, *out;

    begin();
    data = suite_floats(2);
    out = suite_floats(2);
    data[1] = 5;
    x.data = data;
    x.overwritten_by = out;
    y.data = out;
    y.kind = ARG_OUT;
    y.in_place = true;
    suite_in_place(true);
    call_array(&x);
    call_array(&y);
    CU_ASSERT_EQUAL(f->arg[0].kind, ARG_INOUT);
    CU_ASSERT_PTR_EQUAL(f->arg[0].data, out);
    CU_ASSERT_PTR_EQUAL(frame_pointer(f, 1), out);
    CU_ASSERT_EQUAL(out[1], 5);
    suite_in_place(false);
    call_array(&x);
    CU_ASSERT_EQUAL(f->arg[2].kind, ARG_IN);
    CU_ASSERT_PTR_EQUAL(f->arg[2].data, data);
    test_end();
}

/* Only the named argument is misaligned. */
static void misalignment(void)
{
    float *x;

    begin();
    x = suite_floats(4);
    suite_misalign("d_x", 8);
    CU_ASSERT_EQUAL(pass(ARG_IN, x, 2, 2)->misalign, 8);
    suite_misalign("d_x", 0);
    suite_misalign("d_y", 4);
    CU_ASSERT_EQUAL(pass(ARG_IN, x, 2, 2)->misalign, 0);
    test_end();
}

/* With kept outputs the runner copies nothing back. */
static void kept_outputs(void)
{
    float *x;

    begin();
    x = suite_floats(4);
    CU_ASSERT_EQUAL(pass(ARG_OUT, x, 2, 2)->kind, ARG_OUT);
    suite_keep_outputs(true);
    CU_ASSERT_EQUAL(pass(ARG_OUT, x, 2, 2)->kind, ARG_INOUT);
    CU_ASSERT_EQUAL(pass(ARG_IN, x, 2, 2)->kind, ARG_IN);
    test_end();
}

/* A sparse array on the device is empty here; on the host its ends are the
 * suite's halves. */
static void sparse_arrays(void)
{
    const int64_t dim[] = {(int64_t)5 << 30};
    struct call_array x = {.name = "x", .kind = ARG_IN, .place = ON_HOST,
                           .element = sizeof(float), .dims = 1, .dim = dim};
    const struct frame *f = &suite_state.frame;

    begin();
    suite_state.sparse = true;
    x.data = suite_floats(6);
    call_array(&x);
    x.place = ON_DEVICE;
    call_array(&x);
    CU_ASSERT_EQUAL(f->arg[0].bytes, 24);
    CU_ASSERT_EQUAL(f->arg[0].integer, ((int64_t)20 << 30) - 24);
    CU_ASSERT_EQUAL(arg_head_bytes(&f->arg[0]), 12);
    CU_ASSERT_EQUAL(f->arg[1].bytes, 0);
    CU_ASSERT_EQUAL(f->arg[1].integer, (int64_t)20 << 30);
    CU_ASSERT_EQUAL(arg_head_bytes(&f->arg[1]), 0);
    CU_ASSERT_EQUAL(suite_state.element_bytes[1], sizeof(float));
    suite_state.sparse = false;
    test_end();
}

/* The rows that more than 65,535 blocks share, after a launch of these blocks
 * for 70,001 rows. */
static int rows_beyond(uint32_t x, uint32_t y, uint32_t z)
{
    begin();
    suite_state.reply.facts = (struct facts){
        .counted = true, .launches = 1, .grid = {x, y, z}};
    test_end();
    return suite_rows_beyond_grid(70001, 32);
}

/* A grid comes from the submission: it may have no block, or far too many. */
static void grids(void)
{
    CU_ASSERT_EQUAL(rows_beyond(1, 2188, 1), 65625 * 32 + 1);
    CU_ASSERT_EQUAL(rows_beyond(1, 8751, 1), 65625 * 8 + 1);
    CU_ASSERT_EQUAL(rows_beyond(8751, 1, 1), 0);
    CU_ASSERT_EQUAL(rows_beyond(0, 2188, 1), 65625 * 32 + 1);
    CU_ASSERT_EQUAL(rows_beyond(1, 1u << 31, 2), 0);
    CU_ASSERT_EQUAL(rows_beyond(1u << 31, 1u << 31, 4), 65625 * 32 + 1);
}

/* A hint is about the case that failed, not about one that came later. */
static void hints(void)
{
    begin();
    suite_case("n = 1");
    suite_hint("nothing has failed");
    outcome.verdict = WRONG;
    suite_hint("about n = 1");
    CU_ASSERT_STRING_EQUAL(outcome.hint, "about n = 1");
    outcome = (struct outcome){.verdict = PASS};
    begin();
    suite_case("n = 1");
    outcome.verdict = WRONG;
    suite_case("n = 2");
    suite_hint("about n = 2");
    CU_ASSERT_PTR_NULL(outcome.hint);
    outcome = (struct outcome){.verdict = PASS};
}

int main(void)
{
    CU_TestInfo tests[] = {{"sizes, also of arrays that are none", sizes},
                           {"NULL stays NULL", null_pointers},
                           {"an output in place of an input", in_place},
                           {"misaligned arrays", misalignment},
                           {"outputs that keep their content", kept_outputs},
                           {"arrays of sparse memory", sparse_arrays},
                           {"grids of any size", grids},
                           {"hints of the failed case", hints},
                           CU_TEST_INFO_NULL};

    return run_tests("stubs", tests);
}
