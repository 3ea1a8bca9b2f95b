/* SPDX-License-Identifier: MIT */
/** @file
 *  The device that is graded on, and the compiler for it.
 */
#ifndef GRADER_TARGET_H
#define GRADER_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** As lab.h's arrays are indexed. */
enum device_kind { DEVICE_GPU, DEVICE_SOFT };

/** What a runner on the soft device tells beside its outputs; bits. */
enum watched_for {
    WATCH_FINDINGS = 1, /**< softcc --check: races, stray accesses, ... */
    WATCH_COUNTS = 2    /**< softcc --profile: sectors, conflicts, ... */
};

/** A device with its compiler. */
struct target {
    enum device_kind kind;   /**< which it is */
    unsigned watch;          /**< enum watched_for; 0: a plain runner */
    char model[128];         /**< "NVIDIA H200", or the card described */
    char compiler[PATH_MAX]; /**< nvcc or softcc */
    char include[PATH_MAX];  /**< folder of cuda_runtime_api.h */
    char arch[32];           /**< gpu: nvcc's option for the card's code */
};

/** "gpu" or "soft". */
const char *device_name(enum device_kind kind);
/** Find the device called "auto", "gpu" or "soft".
 *  @return false with one line in `error` (512 bytes) */
bool target_find(const char *name, struct target *target, char *error);
/** Find a program in PATH, and nvcc also where it is installed.
 *  @return false when there is none; `path` has PATH_MAX bytes */
bool program_find(const char *name, char *path);
/** Ask the driver for the card: "NVIDIA H200, 9.0" in `text`.
 *  @return false when there is none that works */
bool gpu_ask(char *text, size_t bytes);
/** First line that a program prints, run with one argument.
 *  @return false when it is not there or fails */
bool first_line(const char *name, const char *argument, char *text,
                size_t bytes);

#endif
