/* SPDX-License-Identifier: MIT */
/** @file
 *  A device, the GPU or the soft device, and the compiler for it.
 */
#ifndef GRADER_TARGET_H
#define GRADER_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** Kind of device; an index of arrays in grader/lab/lab.h. */
enum device_kind { DEVICE_GPU, DEVICE_SOFT };

/** Instrumentation of a program for the soft device; bits. */
enum watch_flags {
    WATCH_FINDINGS = 1, /**< softcc --check: races, stray accesses, ... */
    WATCH_COUNTS = 2    /**< softcc --profile: sectors, conflicts, ... */
};

/** A device with its compiler. */
struct target {
    enum device_kind kind;   /**< which it is */
    unsigned watch;          /**< enum watch_flags; 0: not instrumented */
    char model[128];         /**< "NVIDIA H200", or the card described */
    char compiler[PATH_MAX]; /**< nvcc or softcc */
    char include[PATH_MAX];  /**< folder of cuda_runtime_api.h */
    char arch[32];           /**< gpu: nvcc's -arch option */
};

/** "gpu" or "soft". */
const char *device_name(enum device_kind kind);
/** Find the device called "auto", "gpu" or "soft".
 *  @return false with one line in `error` (512 bytes) */
bool target_find(const char *name, struct target *target, char *error);
/** Find a program in PATH, or in /usr/local/cuda/bin.
 *  @param[out] path  PATH_MAX bytes
 *  @return false when there is none */
bool find_program(const char *name, char *path);
/** Query name and compute capability of the first GPU.
 *  @param[out] text  "NVIDIA H200, 9.0"
 *  @return false when there is no working GPU */
bool gpu_query(char *text, size_t bytes);
/** Run a program with one argument; get the first line of its output.
 *  @return false when it is not found or fails */
bool program_first_line(const char *name, const char *argument, char *text,
                size_t bytes);

#endif
