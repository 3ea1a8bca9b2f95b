/* SPDX-License-Identifier: MIT */
/* Determinism of the trainer: the same bits with and without a graph, and
 * after interruptions. */
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "train_tests.h"

#define RESUME "--resume %s --epochs 2 --save 1 --device soft --out %s"
#define RUN "--force --net lenet --data lookalike --limit 200 --batch 32 " \
            "--epochs 2 --device soft --save 1 --seed 3 --out %s%s"

/* With and without a CUDA graph, a run ends in the same bits. */
static void same_bits(void)
{
    char out[PATH_BYTES];

    CU_ASSERT_EQUAL(train(RUN, scratch_path(out, "whole"), ""), 0);
    CU_ASSERT_EQUAL(train(RUN, scratch_path(out, "plain"), " --graph 0"), 0);
    CU_ASSERT(same_files("whole/checkpoint.safetensors",
                         "plain/checkpoint.safetensors"));
    CU_ASSERT(same_files("whole/metrics.csv", "plain/metrics.csv"));
}

/* Wait, before a run is killed. */
static void sleep_ms(long milliseconds)
{
    nanosleep(&(struct timespec){milliseconds / 1000,
                                 milliseconds % 1000 * 1000000}, NULL);
}

/* Wait until a file exists, at most ten minutes. */
static void wait_for(const char *path)
{
    for (int i = 0; i < 30000 && !file_size(path); i++) sleep_ms(20);
}

/* Ctrl-C: the step is completed, a checkpoint is written, and a message names
 * the option to resume.  The number of epochs cannot be reached meanwhile. */
static void interrupted(void)
{
    char out[PATH_BYTES], path[PATH_BYTES];
    const pid_t child = train_start(RUN, scratch_path(out, "stopped"),
                                    " --epochs 100000");

    wait_for(scratch_path(path, "stopped/checkpoint.safetensors"));
    kill(child, SIGINT);
    CU_ASSERT_EQUAL(train_wait(child), 130);
    CU_ASSERT(log_contains("train: stopped after step "));
    CU_ASSERT(log_contains("/stopped\n"));
}

/* Killed at random times: the checkpoint on the disk is complete, and resuming
 * gives the same bits. */
static void killed(void)
{
    char out[PATH_BYTES], path[PATH_BYTES];

    scratch_path(out, "killed");
    scratch_path(path, "killed/checkpoint.safetensors");
    for (int i = 0; i < 3; i++) {
        const pid_t child = i ? train_start(RESUME, out, out)
                              : train_start(RUN, out, "");

        if (!i)
            wait_for(path);
        sleep_ms(100 + rand() % 300);
        kill(child, SIGKILL);
        train_wait(child);
    }
    CU_ASSERT_EQUAL(train(RESUME, out, out), 0);
    CU_ASSERT(same_files("whole/checkpoint.safetensors",
                         "killed/checkpoint.safetensors"));
    CU_ASSERT(same_files("whole/metrics.csv", "killed/metrics.csv"));
    CU_ASSERT(same_files("whole/steps.csv", "killed/steps.csv"));
}

/* The only file that a killed process left half-written, or none: "". */
static const char *half_written(void)
{
    static char path[PATH_BYTES];
    char pattern[PATH_BYTES];
    glob_t found;

    *path = 0;
    glob(scratch_path(pattern, "cut/*.part"), 0, NULL, &found);
    CU_ASSERT(found.gl_pathc <= 1);
    if (found.gl_pathc)
        snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
    globfree(&found);
    return path;
}

/* Killed while writing a checkpoint, after its first byte, in its header, in
 * its data, before its last byte: the previous checkpoint is intact. */
static void killed_in_a_write(void)
{
    char out[PATH_BYTES], old[PATH_BYTES], kept[PATH_BYTES];
    const char *half;
    size_t bytes;

    scratch_path(out, "cut");
    scratch_path(old, "cut/checkpoint.safetensors");
    CU_ASSERT_EQUAL(train(RUN, out, " --steps 3"), 0);
    bytes = file_size(old);
    CU_ASSERT_FATAL(bytes > 500000);
    copy_prefix(old, scratch_path(kept, "kept"), bytes, 0);
    for (int i = 0; i < 4; i++) {
        const size_t most[] = {1, 1000, bytes / 2, bytes - 1};

        CU_ASSERT_EQUAL(train_limited(most[i], true, RESUME, out, out),
                        -SIGXFSZ);
        CU_ASSERT(same_files("cut/checkpoint.safetensors", "kept"));
    }
    half = half_written(); /* without files that have no name */
    CU_ASSERT(!*half || file_size(half) == bytes - 1);
    CU_ASSERT_EQUAL(train_limited(bytes / 2, false, RESUME, out, out), 3);
    CU_ASSERT(log_contains("cut/checkpoint.safetensors: File too large"));
    CU_ASSERT(same_files("cut/checkpoint.safetensors", "kept"));
    CU_ASSERT_STRING_EQUAL(half_written(), "");
    CU_ASSERT_EQUAL(train(RESUME, out, out), 0);
    CU_ASSERT(same_files("whole/checkpoint.safetensors",
                         "cut/checkpoint.safetensors"));
    CU_ASSERT(same_files("whole/metrics.csv", "cut/metrics.csv"));
}

CU_TestInfo determinism_tests[] = {{"same seed, same bits", same_bits},
                            {"interrupted", interrupted},
                            {"killed and resumed", killed},
                            {"killed while writing", killed_in_a_write},
                            CU_TEST_INFO_NULL};
