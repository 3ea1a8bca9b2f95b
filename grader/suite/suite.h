/* SPDX-License-Identifier: MIT */
/** @file
 *  The interface of suites: calls of the lab, inputs, and expectations.
 *
 *  docs/pages/adding_a_lab.md says how to add a lab.  A suite calls the lab's
 *  functions by their own names.  The sections [function NAME] of the settings
 *  describe each call; grader/calls generates from them a stub, which sends the
 *  call to the runner, and the thunk that makes the call there.  The suite's
 *  own arrays are in host memory on both sides of a call.
 *
 *  For checks and budgets on the soft device a suite names small `watched`
 *  cases; a case with a budget gives the metric's bounds:
 *
 *         expect_metric(METRIC_SECTORS, n / 8 * 3, n / 8 * 3,
 *                       "x the minimum");
 *
 *  A test calls `suite_case` before each call, then `expect_*`.  The first
 *  failure of a test (crash, timeout, wrong element) is its verdict; later
 *  calls and expectations of that test return at once, so a test needs no
 *  error handling:
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
 *  All functions run on the host, in the grader's process.
 */
#ifndef GRADER_SUITE_H
#define GRADER_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/random.h"
#include "compare.h"
#include "grader/lab/metric.h"
#include "grader/lab/suite_table.h"

/* --- stubs written by hand ---------------------------------------------- */

/** Memory of an array that the lab's function gets. */
enum place { ON_HOST, ON_DEVICE };

/** Begin the description of a call.
 *  @param function  index of the lab's function; the thunk reads it as
 *                   `frame->function` */
void call_begin(uint32_t function);
/** Name the call's function and parameters for messages; default: those of the
 *  lab's prototype.
 *  @param names  "relu(d_x, d_y, n)", a string literal; "(d_x, d_y, n)"
 *                where a thunk calls several functions */
void call_parameters(const char *names);
/** Next argument: an array that the lab reads and must not modify. */
void call_in(enum place place, const void *data, size_t bytes);
/** Next argument: an array that the lab writes.  It is poisoned before the
 *  call, and holds what the lab wrote after call_end(). */
void call_out(enum place place, void *data, size_t bytes);
/** Next argument: an array that the lab reads and writes. */
void call_inout(enum place place, void *data, size_t bytes);
/** Before a call: what the host makes of the inputs, as the contract asks.
 *  These bytes must be copied to the device, or the inputs themselves.
 *  @param data  host, valid until the call has ended; @param bytes  of them */
void call_decoded(const void *data, size_t bytes);
/** Misalign the array just described by `bytes` from its alignment of 256 (a
 *  multiple of the element's size, below 256). */
void call_misalign(size_t bytes);
/** Let the array just described have further bytes that are sparse: see
 *  suite_use_sparse_memory().
 *  @param element  bytes of an element */
void call_sparse(size_t bytes, size_t element);
/** Next argument: an integer (int, size_t, bool). */
void call_integer(int64_t value);
/** Next argument: a floating-point number. */
void call_real(double value);
/** Send the call to the runner and wait.
 *  @return the lab's return value; -1 when the test or the call has failed,
 *  with the verdict recorded */
int64_t call_end(void);

/* --- a test ------------------------------------------------------------- */

/** An array of n floats, zeroed, freed when the test ends; never NULL. */
float *suite_floats(size_t n);
/** An array of n floats that stays: zeroed in the first call of a test, and the
 *  same one, as it was left, in later calls with this key.
 *  @param key  the address of anything static names the array */
float *suite_kept_floats(const void *key, size_t n);
/** The same as suite_floats() for n doubles. */
double *suite_doubles(size_t n);
/** The same for n ints. */
int32_t *suite_ints(size_t n);
/** The same for n bytes. */
uint8_t *suite_bytes(size_t n);

/** A size for the device that the calls run on: `soft` on the soft device,
 *  `gpu` on a card, which needs a millisecond of work to be timed:
 *
 *      const size_t n = suite_size((size_t)1 << 20, (size_t)1 << 28);
 *
 *  All arrays of a call may have 4 GiB; where the runner then needs more than
 *  the settings' `memory`, set `memory gpu`. */
size_t suite_size(size_t soft, size_t gpu);
/** Call check(n) for each of the sizes, until the test fails. */
void suite_each(void (*check)(size_t n), const size_t *sizes, size_t count);
/** Call check(n) for n = 10, 100, ... up to `most`; the last call in each must
 *  have freed all device memory. */
void suite_check_frees(void (*check)(size_t n), size_t most);
/** Make the call again and again: first without a failure, then with the first
 *  of the submission's launches and calls of the runtime that allocate, create
 *  or copy something (and of the libraries that create something) made to fail,
 *  then with the second, ... until there are no more.  Each time the lab must
 *  return an error and must have released everything.
 *  @param call  calls the lab and returns its status; expects nothing */
void suite_check_failures(int64_t (*call)(void));
/** Make the call once more, on the soft device, and let its kernel with this
 *  number, from 1, fail when it runs: the lab must return an error.  No call of
 *  this test can succeed after it. */
void suite_check_late_failure(int64_t (*call)(void), unsigned kernel);
/** In the next calls of generated stubs, until the test ends, misalign an array
 *  by `bytes` from its alignment of 256 (a multiple of the element's size,
 *  below 256).
 *  @param name  the parameter, "d_a"; stays until the test ends */
void suite_misalign(const char *name, size_t bytes);
/** In the next calls of generated stubs, an output that may be an input (`in
 *  place of` in the settings) is that input, or not; false when a test begins.
 *  The suite's input is not modified. */
void suite_in_place(bool in_place);
/** In the next calls of generated stubs, outputs start with the suite's content
 *  instead of poison, or not; false when a test begins. */
void suite_keep_outputs(bool keep);
/** Begin calls with arrays of more than 2^31 elements (until the test ends), in
 *  a new runner, on the soft device.  What a call's dimensions have beyond the
 *  arrays that the suite allocated is sparse memory: initially 0, and neither
 *  sent nor compared.  On the device all of such an array is sparse.  On the
 *  host its first and last elements are the halves of the suite's, and copies
 *  of the others cost nothing.  Only the first two blocks of each grid and the
 *  last ones run, and some before those, which may be past the end of the data,
 *  one after the other: a block that waits for one that does not run is ended.
 *  Counters from which blocks take tickets are advanced.
 *  @return false where there is no such memory: on a card, and in instrumented
 *  runs */
bool suite_use_sparse_memory(void);
/** No block of the lab's kernels needs to wait for another one: in the next
 *  calls none is ended for it, so that one that loops without an end is seen by
 *  expect_end().  Follows suite_use_sparse_memory(). */
void suite_blocks_are_independent(void);
/** Elements of an array whose far end every right kernel accesses, although
 *  only three blocks run: with elements t, t + T, ... for thread t of T, the
 *  last block has some beyond the 2^31st.  (With 2^31 and a few millions, all
 *  of its last elements may be past the end, and those before them below
 *  2^31.) */
#define SUITE_FAR_ELEMENTS ((size_t)3 << 30)
/** In place of expect_success() for such a call: no error, and something beyond
 *  the largest power of two (the 2^31st element, or 2^32nd) of each sparse
 *  array of more than 2 GiB was accessed, if `far` says so (else that, or
 *  nothing but its first 4 MiB: blocks may wait for others before they write);
 *  of arrays in host memory, something there was written to the outputs, and
 *  all arrays were copied.  A call that takes too long or too much memory is
 *  right: one block may do all of the work.
 *  @return false if the call did not come to its end, or the test has failed */
bool expect_far_access(int64_t status, bool far);
/** Fail the test if the last call was such a slow one and its loops have no
 *  end: the same call with fewer elements, whose indices all have 32 bits, ends
 *  in a small part of the time.  An index of 32 bits then starts again at 0
 *  before it reaches the number of elements.  Expects nothing of a call that
 *  ended.
 *  @param fewer  makes that call, with at least half of the elements, and
 *                returns its status */
void expect_end(int64_t (*fewer)(void));
/** Blocks of the last call's last launch; 0: not known. */
size_t suite_grid_blocks(void);
/** So many rows that more than 65,535 blocks (the limit of gridDim.y) share
 *  them, if a block has as many rows as in the last call.
 *  @param rows  of the last call, whose output had one column
 *  @param most  rows of a block, at most; so many where the last call's grid is
 *               not known
 *  @return 65,625 blocks and a row; 0: the last call had about as many or more,
 *  or its blocks are numbered along x, or the test has failed */
int suite_rows_beyond_grid(int rows, int most);
/** After a failure: show this hint in place of the test's, unless a mistake
 *  with a hint of its own was found.  No effect once suite_case() has named
 *  a later call.
 *  @param hint  a literal, or NULL: no effect */
void suite_hint(const char *hint);
/** In the next calls, until the test ends: where an array was written outside,
 *  show this hint in place of the general one.
 *  @param hint  a literal, or NULL: the general one */
void suite_overrun_hint(const char *hint);
/** Has the test failed, with these words in its message? */
bool suite_says(const char *words);
/** Describe the next call; a failure's message starts with it. */
void suite_case(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/** Add to the description of the next call, unless it has this text already.
 *  @param text  ", bfloat16" */
void suite_case_more(const char *text);
/** On the soft device, run the threads and blocks of the next calls in another
 *  order (1, 2, ...; until the test ends), in a new runner.  No effect on a
 *  card. */
void suite_use_schedule(unsigned order);
/** On the soft device, the next calls find a device with so many
 *  multiprocessors (until the test ends), in a new runner: a loop over a grid
 *  of some blocks for each has many iterations.  No effect on a card. */
void suite_use_multiprocessors(unsigned count);
/** In an instrumented run, watch only some blocks of each large launch of the
 *  next calls (until the test ends), in a new runner: those are checked for
 *  races and counted, all others for bounds and uninitialized reads.  For a
 *  case whose budgets are of the timeline; counts of kernels are then
 *  incomplete, and earn no points. */
void suite_sample_blocks(void);
/** On the soft device, capture each of the next calls (until the test ends)
 *  into a graph and launch it once; calls that a capture forbids fail.  No
 *  effect on a card, whose runner is not compiled for that stream. */
void suite_capture_graph(void);
/** True once the test has failed; a loop over many cases may stop then. */
bool suite_failed(void);

/** The lab must have returned 0; another value is explained as a cudaError_t.
 *  Also fails the test when the call left a CUDA error, wrote outside of an
 *  array, modified an input, or wrote an output on a stream that the default
 *  stream does not wait for.  When all outputs are in device memory, it fails
 *  when the call copied to the host or allocated managed or pinned memory. */
void expect_success(int64_t status);
/** The lab must have returned a nonzero value. */
void expect_error(int64_t status);
/** Set the usual mistakes for the comparisons until the next call of this
 *  function, for a suite that compares through a helper.
 *  @param mistakes  see hypothesis.h; NULL: none
 *  @param context   its argument; valid while comparisons use it */
void suite_mistakes(mistakes *mistakes, const void *context);
/** The same for the sums of which the output consists.
 *  @param response  see response.h; NULL: none */
void suite_response(const struct response *response);
/** Compare one output with its reference (see compare.h). */
void expect_elements(const struct expected *expected);
/** The last call must have freed all device memory, and destroyed all streams,
 *  events, graphs, pinned memory and handles of libraries, each once.  When all
 *  outputs are in device memory it must have allocated none. */
void expect_no_leak(void);
/** The host function that the lab gives must have been called this often in the
 *  last call.  It reports its elements and 1 to count_host_work().
 *  @param function  its name: "load_batch()"
 *  @param calls     of it
 *  @param elements  that it must have processed in all calls together */
void expect_host_work(const char *function, size_t calls, size_t elements);
/** The last call must have launched at most this many kernels; kernels of
 *  libraries are not counted. */
void expect_launches_at_most(unsigned launches);
/** The last call must have launched a kernel, copied its inputs to the device
 *  and its outputs back.  For functions whose arrays are in host memory. */
void expect_kernel(void);
/** The last call must have copied each input in host memory to the device (or
 *  what call_decoded() names, instead), and have passed it nothing else of
 *  size: what the device works on is the inputs, not what the host made of
 *  them.  For functions whose arrays are in host memory; known on the soft
 *  device only. */
void expect_inputs_copied(void);
/** Run a case of the test again with other data of the same shape.  A result
 *  that is small enough to be passed as arguments is computed on the device
 *  only if the host tells it the same in two calls: for tests whose arrays have
 *  no more than 8 KiB, of functions whose arrays are in host memory.  On a card
 *  the case runs once.
 *  @param check  calls the lab once, with random data, and checks the result */
void suite_repeat(void (*check)(const void *context), const void *context);
/** The same where several host threads may make the calls, as labs of streams
 *  allow: each of them, of four at most, may tell 128 bytes more that differ.
 *  Only for tests that also have results of 2 KiB or more, since a smaller one
 *  may be told in these bytes. */
void suite_repeat_threads(void (*check)(const void *context),
                          const void *context);
/** In a watched case, give the bounds of a metric; several calls add up.  No
 *  effect elsewhere.
 *  @param metric     which
 *  @param minimum    no correct program counts less
 *  @param unit       the settings' budgets are multiples of it; above 0
 *  @param unit_text  text behind such a multiple: "x the minimum" */
void expect_metric(enum metric metric, double minimum, double unit,
                   const char *unit_text);
/** Fail the test with this message when not ok. */
void expect_that(bool ok, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
