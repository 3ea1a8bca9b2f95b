/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared functions of the trainer's tests: running the program, reading its
 *  results in the scratch folder. */
#ifndef TRAIN_TESTS_H
#define TRAIN_TESTS_H

#include <CUnit/CUnit.h>
#include <sys/types.h>

#include "common/base/tests/scratch.h"
#include "common/train/checkpoint.h"

enum { CLASSES = 10 /**< of the data sets in these tests */ };

/** The suites, each ending with CU_TEST_INFO_NULL. */
extern CU_TestInfo step_tests[], labs_tests[], torch_tests[],
    determinism_tests[], messages_tests[], runs_tests[], attack_tests[],
    compare_tests[], odd_tests[];

/** Find the program under test.
 *  @return false under sanitizers: kernels are not built with them, so the
 *          plain build's program is tested */
bool train_find(void);

/** Start `train` with these arguments, its output in the scratch file "log". */
pid_t train_start(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/** Wait for it.  @return the exit status, or minus the signal that killed it */
int train_wait(pid_t child);

/** Start `train` and wait for it.  @return as train_wait() */
int train(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The same with a limit on the size of files.
 *  @param bytes  the limit
 *  @param kill   true: SIGXFSZ kills the program during the write; false: the
 *                write fails, as on a full disk */
int train_limited(size_t bytes, bool kill, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Options for a data set of 160 training images of 28 x 28 and 10 test
 *  images: "--data ...". */
const char *small_set(void);

/** A diverged loss stops the training; the message names step and layer.
 *  @param kernels  --kernels */
void check_divergence(const char *kernels);

/** One step of a network with every kind of layer agrees with the reference
 *  within 1e-5.
 *  @param kernels  --kernels; the log is of that run */
void check_one_step(const char *kernels);

/** Dropout with p = 0.5 zeroes half of the inputs and doubles the others. */
void check_dropout(const char *kernels);

/** Does the log of the last run contain this?  If not, both are printed. */
bool log_contains(const char *fragment);

/** The same in silence. */
bool log_has(const char *fragment);

/** Run `train` beside one that was started: its output is in the scratch file
 *  "aside".  @return as train_wait() */
int train_aside(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Does the log of that run contain this? */
bool aside_contains(const char *fragment);

/** Load the checkpoint of a folder in the scratch folder; free it with
 *  checkpoint_free(). */
struct checkpoint *load_state(const char *folder, const struct network *net);

/** Do two files of the scratch folder exist with the same content? */
bool same_files(const char *a, const char *b);

#endif
