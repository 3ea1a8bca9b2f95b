/* SPDX-License-Identifier: MIT */
/** @file
 *  What the suite of a lab is written with.
 *
 *  How to add a lab `NN_stem`:
 *
 *  1. `labs/NN_stem/stem.h` declares the function inside
 *     `#ifdef __cplusplus extern "C" { #endif`, so that C can call it; it
 *     includes at most <stddef.h> and other C headers.  `lab.ini` beside it is
 *     described in grader/lab.h.
 *  2. `grader/suites/NN_stem.c` (trusted) holds a *stub* of the lab's own
 *     signature that describes the call, and the tests, which call the stub:
 *
 *         int vector_add(const float *a, const float *b, float *c, size_t n)
 *         {
 *             call_begin(0);
 *             call_in(ON_HOST, a, n * sizeof *a);
 *             call_in(ON_HOST, b, n * sizeof *b);
 *             call_out(ON_HOST, c, n * sizeof *c);
 *             call_integer((int64_t)n);
 *             return (int)call_end();
 *         }
 *
 *     ON_DEVICE instead makes the argument a device array in the runner; the
 *     suite's own array stays in host memory on both sides of the call.
 *  3. `grader/runner/calls/NN_stem.c` (beside the student's code) unpacks:
 *
 *         int64_t runner_call(const struct frame *f)
 *         {
 *             return vector_add(frame_array(f, 0), frame_array(f, 1),
 *                               frame_array(f, 2), frame_integer(f, 3));
 *         }
 *
 *  4. One line in grader/suites.c names the suite.
 *
 *  For checks and costs on the soft device it also names small `watched` cases;
 *  one that lab.ini sets a budget for says what its counts are judged by:
 *
 *         expect_cost(COST_SECTORS, n / 8 * 3, n / 8 * 3,
 *                     "x the least there can be");
 *
 *  A test calls `suite_case` before each call, then `expect_*`.  Whatever goes
 *  wrong first in a test (crash, time, a wrong element) is its verdict; all
 *  later calls and expectations of that test do nothing and return quickly, so
 *  a test needs no error paths:
 *
 *         static void adds(size_t n)
 *         {
 *             float *a = suite_floats(n), *b = suite_floats(n);
 *             float *c = suite_floats(n);
 *
 *             suite_case("n = %zu", n);
 *             random_floats(a, n, -1, 1);
 *             random_floats(b, n, -1, 1);
 *             expect_success(vector_add(a, b, c, n));
 *             ... double *want = suite_doubles(n) ...
 *             expect_elements(&(struct expected){.name = "c", .got = c,
 *                 .want = want, .type = FLOAT32, .size = {n}});
 *         }
 *
 *  All functions here are host-only and run in the trusted process.
 */
#ifndef GRADER_SUITE_H
#define GRADER_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare.h"
#include "cost.h"
#include "random.h"

/** One CUnit test: a line in the report and a key in lab.ini's [points]. */
struct suite_test {
    const char *name;  /**< key in lab.ini: lower case, no spaces */
    const char *title; /**< for people: "sizes round a block's edge" */
    void (*run)(void); /**< makes the calls and states what is expected */
};

/** The suite of one lab. */
struct suite {
    const char *stem;                /**< "01_vector_add" */
    const struct suite_test *tests;  /**< ends with a NULL name */
    /** Timed runs; ends with a NULL name; each calls the lab exactly once with
     *  fresh inputs and checks what came back, as a test does.  Their size is
     *  suite_size's: one for a CPU, one for a card. */
    const struct suite_test *speeds;
    /** Cases for the watched build (`warpbook check`, checks and costs), a
     *  runner each; ends with a NULL name.  Small ones: watching takes ten
     *  times as long.  NULL: the tests. */
    const struct suite_test *watched;
};

/** The cases that a suite has for the watched build. */
const struct suite_test *suite_watched(const struct suite *suite);

extern const struct suite *const suites[]; /**< ends with NULL */

/* --- the stub ----------------------------------------------------------- */

/** Where the lab's function gets the array. */
enum place { ON_HOST, ON_DEVICE };

/** Begin describing a call of one of the lab's functions (0 when it has one);
 *  the thunk reads the number as `frame->function`. */
void call_begin(uint32_t function);
/** Name this call's parameters for messages: "(d_x, d_y, n)", a string that
 *  stays.  Without it they are those of lab.ini's prototype. */
void call_parameters(const char *names);
/** Next argument: an array that the lab reads and must not change. */
void call_in(enum place place, const void *data, size_t bytes);
/** Next argument: an array that the lab writes; poisoned before the call.
 *  After `call_end` it holds what the lab left there. */
void call_out(enum place place, void *data, size_t bytes);
/** Next argument: an array that the lab reads and writes. */
void call_inout(enum place place, void *data, size_t bytes);
/** Place the array just described `bytes` off its natural alignment of 256
 *  (a multiple of the element's size, below 256). */
void call_misalign(size_t bytes);
/** Next argument: a whole number (int, size_t, bool). */
void call_integer(int64_t value);
/** Next argument: a floating-point number. */
void call_real(double value);
/** Ship the call to the runner and wait.  @return the lab's return value; -1
 *  when the test has failed already or the call did (the verdict is then
 *  recorded). */
int64_t call_end(void);

/* --- a test ------------------------------------------------------------- */

/** An array of n floats, zeroed, freed when the test ends; never NULL. */
float *suite_floats(size_t n);
/** Likewise of n doubles. */
double *suite_doubles(size_t n);
/** Likewise of n ints. */
int32_t *suite_ints(size_t n);
/** Likewise of n bytes. */
uint8_t *suite_bytes(size_t n);

/** A size for the device that this test's calls run on: `soft` on the soft
 *  device, `gpu` on a card, which needs a millisecond's work to be timed:
 *
 *      const size_t n = suite_size((size_t)1 << 20, (size_t)1 << 28);
 *
 *  All arrays of a call may come to 4 GiB; where the runner needs more memory
 *  for that than lab.ini's `memory`, there is `memory gpu`. */
size_t suite_size(size_t soft, size_t gpu);
/** Call check(n) for each of the sizes, until the test fails. */
void suite_each(void (*check)(size_t n), const size_t *sizes, size_t count);
/** Call check(n) for n = 10, 100, ... up to `most`; the last call in each must
 *  have freed all device memory it took. */
void suite_frees(void (*check)(size_t n), size_t most);
/** Say what the next call is about: it opens the message of a failure. */
void suite_case(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/** On the soft device the next calls run threads and blocks in another order
 *  (1, 2, ...; until the test ends), in a fresh runner; a card has its own. */
void suite_reorder(unsigned order);
/** On the soft device the next calls (until the test ends) are captured into a
 *  graph, which is replayed once: what a capture forbids fails them.  On a card
 *  they are made as ever, its compiler having been told of no such stream. */
void suite_captured(void);
/** True once the test has failed; a loop over many cases may stop then. */
bool suite_failed(void);

/** The lab must have returned 0; another value is explained as a cudaError_t.
 *  Also fails the test when the call left a CUDA error behind, wrote beside
 *  an array, changed an input, left an output to a stream that the default one
 *  does not wait for, or, all its outputs being the device's, brought
 *  something from there to the host or took memory that both can use. */
void expect_success(int64_t status);
/** The lab must have refused the call with any non-zero value. */
void expect_refusal(int64_t status);
/** Compare one output with its reference (see compare.h). */
void expect_elements(const struct expected *expected);
/** The last call must have freed all device memory it took, and given back all
 *  streams, events, graphs and pinned memory.  Where all its outputs are the
 *  device's it must have taken none. */
void expect_no_leak(void);
/** The last call must have launched at most this many kernels; those of
 *  libraries are not counted. */
void expect_launches_at_most(unsigned launches);
/** The last call must have launched a kernel, and brought its inputs to the
 *  device and its outputs back: what the host alone works out is not what the
 *  lab asks for.  For functions whose arrays are the host's. */
void expect_kernel(void);
/** In a watched case: how a counter of it is judged.
 *  @param cost   which
 *  @param least  no right program needs fewer: less than this is no true count
 *  @param unit   what lab.ini's budgets are multiples of; above 0
 *  @param per    ends the sentence "9.5 ": "x the least there can be"
 *  Calls of one case add up.  Says nothing elsewhere. */
void expect_cost(enum cost cost, double least, double unit, const char *per);
/** For what the above do not cover: fails with the message when not ok. */
void expect_that(bool ok, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
