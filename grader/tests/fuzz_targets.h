/* SPDX-License-Identifier: MIT */
/** @file
 *  The readers of what comes from students, platforms and the disk, each as a
 *  function of bytes: for fuzz_test.c.
 */
#ifndef TESTS_FUZZ_TARGETS_H
#define TESTS_FUZZ_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

/** A reader. */
struct fuzz_target {
    const char *name; /**< its corpus is grader/tests/corpus/NAME */
    /** Prepare, once.  May be NULL. */
    void (*begin)(void);
    /** Read the bytes, which a NUL follows.  @return false: a promise of the
     *  reader's header is broken */
    bool (*read)(const unsigned char *data, size_t length);
    const char *const *words; /**< words of the format, NULL-terminated */
    bool on_demand; /**< mutated only where it is named; its corpus is always
                         read */
};

/** The device process of a runner (fuzz_device.c). */
extern const struct fuzz_target fuzz_device;
/** All of them, NULL-terminated. */
extern const struct fuzz_target *const fuzz_targets[];

#endif
