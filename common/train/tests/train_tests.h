/* SPDX-License-Identifier: MIT */
/** @file
 *  What the tests of the trainer share: running the program, reading what it
 *  left in the scratch folder. */
#ifndef TRAIN_TESTS_H
#define TRAIN_TESTS_H

#include <CUnit/CUnit.h>
#include <sys/types.h>

#include "common/tests/common_tests.h"
#include "common/train/checkpoint.h"

enum { CLASSES = 10 /**< of the sets that are trained on here */ };

/** The suites, each ending with CU_TEST_INFO_NULL. */
extern CU_TestInfo step_tests[], labs_tests[], torch_tests[], bits_tests[],
    said_tests[];

/** Find the program under test.  @return false under sanitizers: kernels are
 *  not built with them, so that the program is the plain build's */
bool train_find(void);

/** Start `train` with these words, its output in the scratch file "log". */
pid_t train_start(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/** Wait.  @return the exit status, or less 0: the signal that killed it */
int train_end(pid_t child);

/** Both. */
int train(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The same where no file may grow above so many bytes.
 *  @param kill  the write that would is the program's end, in its middle (by
 *               SIGXFSZ); else that write fails, as on a full disk */
int train_limited(size_t bytes, bool kill, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** A set of 160 images of 28 x 28 and a test set of 10: "--data ...". */
const char *small_set(void);

/** A loss that is no number or explodes stops the training, by step and layer.
 *  @param kernels  whose */
void loses_it(const char *kernels);

/** One step of a net of every kind of layer is the reference's, to 1e-5.
 *  @param kernels  whose; the log is of that run */
void one_step(const char *kernels);

/** A step drops a half, and what is kept counts twice. */
void drops_half(const char *kernels);

/** The log of the last run holds this. */
bool said(const char *fragment);

/** The state in a folder of the scratch folder; checkpoint_free() it. */
struct checkpoint *state_in(const char *folder, const struct network *net);

/** Two files of the scratch folder are there and hold the same. */
bool same_files(const char *a, const char *b);

#endif
