/* SPDX-License-Identifier: MIT */
/* The trainer's bits against its own: however it ran, however often it was
 * killed on the way. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "train_tests.h"

#define RESUME "--resume %s --epochs 2 --save 1 --device soft --out %s"
#define RUN "--net lenet --data lookalike --limit 200 --batch 32 --epochs 2 " \
            "--device soft --save 1 --seed 3 --out %s%s"

static void same_bits(void)
{
    char out[PATH_BYTES];

    CU_ASSERT_EQUAL(train(RUN, scratch(out, "whole"), ""), 0);
    CU_ASSERT_EQUAL(train(RUN, scratch(out, "plain"), " --graph 0"), 0);
    CU_ASSERT(same_files("whole/checkpoint.safetensors",
                         "plain/checkpoint.safetensors"));
    CU_ASSERT(same_files("whole/metrics.csv", "plain/metrics.csv"));
}

static void nap(long milliseconds)
{
    nanosleep(&(struct timespec){milliseconds / 1000,
                                 milliseconds % 1000 * 1000000}, NULL);
}

/* Until a file is there, half a minute at most. */
static void wait_for(const char *path)
{
    for (int i = 0; i < 1500 && !file_bytes(path); i++) nap(20);
}

/* Ctrl-C: the step is ended, a checkpoint written, and a line says how to go
 * on; there are more epochs than could be done meanwhile. */
static void interrupted(void)
{
    char out[PATH_BYTES], path[PATH_BYTES];
    const pid_t child = train_start(RUN, scratch(out, "stopped"),
                                    " --epochs 100000");

    wait_for(scratch(path, "stopped/checkpoint.safetensors"));
    kill(child, SIGINT);
    CU_ASSERT_EQUAL(train_end(child), 130);
    CU_ASSERT(said("train: stopped after step "));
    CU_ASSERT(said("/stopped goes on\n"));
}

/* Killed at any moment: what is on the disk is whole, and leads on to the
 * same bits. */
static void killed(void)
{
    char out[PATH_BYTES], path[PATH_BYTES];

    scratch(out, "killed");
    scratch(path, "killed/checkpoint.safetensors");
    for (int i = 0; i < 3; i++) {
        const pid_t child = i ? train_start(RESUME, out, out)
                              : train_start(RUN, out, "");

        if (!i)
            wait_for(path);
        nap(100 + rand() % 300);
        kill(child, SIGKILL);
        train_end(child);
    }
    CU_ASSERT_EQUAL(train(RESUME, out, out), 0);
    CU_ASSERT(same_files("whole/checkpoint.safetensors",
                         "killed/checkpoint.safetensors"));
    CU_ASSERT(same_files("whole/metrics.csv", "killed/metrics.csv"));
    CU_ASSERT(same_files("whole/steps.csv", "killed/steps.csv"));
}

/* The end comes in the middle of writing a checkpoint, at its first bytes, in
 * its header, in its arrays, before its last byte: the one before is whole. */
static void killed_in_a_write(void)
{
    char out[PATH_BYTES], old[PATH_BYTES], kept[PATH_BYTES], part[PATH_BYTES];
    size_t bytes;

    scratch(out, "cut");
    scratch(old, "cut/checkpoint.safetensors");
    scratch(part, "cut/checkpoint.safetensors.part");
    CU_ASSERT_EQUAL(train(RUN, out, " --steps 3"), 0);
    bytes = file_bytes(old);
    CU_ASSERT_FATAL(bytes > 500000);
    copy_part(old, scratch(kept, "kept"), bytes, 0);
    for (int i = 0; i < 4; i++) {
        const size_t most[] = {1, 1000, bytes / 2, bytes - 1};

        CU_ASSERT_EQUAL(train_limited(most[i], true, RESUME, out, out),
                        -SIGXFSZ);
        CU_ASSERT(same_files("cut/checkpoint.safetensors", "kept"));
    }
    CU_ASSERT_EQUAL(file_bytes(part), bytes - 1); /* it was in the middle */
    CU_ASSERT_EQUAL(train_limited(bytes / 2, false, RESUME, out, out), 3);
    CU_ASSERT(said("cut/checkpoint.safetensors: File too large"));
    CU_ASSERT(same_files("cut/checkpoint.safetensors", "kept"));
    CU_ASSERT(access(part, F_OK) != 0);
    CU_ASSERT_EQUAL(train(RESUME, out, out), 0);
    CU_ASSERT(same_files("whole/checkpoint.safetensors",
                         "cut/checkpoint.safetensors"));
    CU_ASSERT(same_files("whole/metrics.csv", "cut/metrics.csv"));
}

CU_TestInfo bits_tests[] = {{"same seed, same bits", same_bits},
                            {"interrupted", interrupted},
                            {"killed and resumed", killed},
                            {"killed while writing", killed_in_a_write},
                            CU_TEST_INFO_NULL};
