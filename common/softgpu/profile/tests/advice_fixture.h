/* SPDX-License-Identifier: MIT */
/** @file
 *  Profiles made up for tests: a kernel of 1,024 blocks of 256 threads, its
 *  lines from k.cu:10 on, and what is advised about it.
 */
#ifndef SOFTGPU_ADVICE_FIXTURE_H
#define SOFTGPU_ADVICE_FIXTURE_H

#include <CUnit/Basic.h>

#include "common/softgpu/profile/advice.h"

enum { MADE_LINES = 4, MADE_WARPS = 8192 };

/** A made-up kernel. */
struct made {
    struct kernel_profile k;
    struct line_profile line[MADE_LINES]; /**< lines 10, 11, 12, 13 */
    struct access_picture picture[2];
    struct advice advice[ADVICE_MOST];
    size_t sentences; /**< of made_advise() */
};

/** A kernel whose counters are all 0. */
void made_begin(struct made *m);
/** Counters of a line, 0 to MADE_LINES - 1. */
struct counters *made_line(struct made *m, int line);
/** Whole warps of 4-byte lanes load (or store) once each at a line, moving so
 *  many sectors a warp where 4 would do. */
void made_loads(struct made *m, int line, double sectors);
void made_stores(struct made *m, int line, double sectors);
/** A sample access of a line: lane i at first + stride * i. */
struct access_picture *made_picture(struct made *m, enum picture_kind kind,
                                    int line, uint32_t bytes, int64_t stride);
/** Sum the lines up, let every sector come from DRAM unless said otherwise,
 *  and fill in occupancy and modelled time for the H200. */
void made_finish(struct made *m);
/** made_finish() and ask for advice. */
void made_advise(struct made *m);
/** Number (from 1) of the sentence that has these words; 0: none. */
int made_says(const struct made *m, const char *words);

#define SAYS(m, words) CU_ASSERT_NOT_EQUAL(made_says(m, words), 0)
#define SILENT(m, words) CU_ASSERT_EQUAL(made_says(m, words), 0)

/** Begins each body: a fresh kernel m. */
#define MADE(m)    \
    struct made m; \
    made_begin(&m)

/** Tests of the rules about memory. */
extern CU_TestInfo advice_memory_tests[];

#endif
