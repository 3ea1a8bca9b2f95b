/* SPDX-License-Identifier: MIT */
/** @file
 *  Kernel profiles for tests: a kernel of 1,024 blocks of 256 threads whose
 *  lines begin at k.cu:10, and the advice about it.
 */
#ifndef SOFTGPU_ADVICE_FIXTURE_H
#define SOFTGPU_ADVICE_FIXTURE_H

#include <CUnit/Basic.h>

#include "common/softgpu/profile/advice.h"

/** Source lines of the kernel, and warps of its launch. */
enum { FIXTURE_LINES = 4, FIXTURE_WARPS = 8192 };

/** The kernel. */
struct made_kernel {
    struct kernel_profile k; /**< under test */
    struct line_profile line[FIXTURE_LINES]; /**< lines 10, 11, 12, 13 */
    struct access_pattern pattern[2];
    struct advice advice[MAX_ADVICE];
    size_t sentences; /**< of fixture_advise() */
};

/** Begin a kernel whose counters are all 0. */
void fixture_begin(struct made_kernel *m);
/** Counters of a line, 0 to FIXTURE_LINES - 1. */
struct counters *fixture_line(struct made_kernel *m, int line);
/** All warps load 4 bytes per lane once at a line, with this many sectors per
 *  warp; ideal: 4. */
void fixture_loads(struct made_kernel *m, int line, double sectors);
/** The same for stores. */
void fixture_stores(struct made_kernel *m, int line, double sectors);
/** Add an access pattern to a line: lane i at first + stride * i. */
struct access_pattern *fixture_pattern(struct made_kernel *m,
                                       enum pattern_kind kind, int line,
                                       uint32_t bytes, int64_t stride);
/** Sum the lines up, let every sector come from DRAM unless set otherwise, and
 *  compute occupancy and modeled time for the H200. */
void fixture_finish(struct made_kernel *m);
/** fixture_finish(), then generate the advice. */
void fixture_advise(struct made_kernel *m);
/** Number (from 1) of the advice that contains the words; 0: none. */
int fixture_sentence(const struct made_kernel *m, const char *words);

/** Some advice contains the words. */
#define SAYS(m, words) CU_ASSERT_NOT_EQUAL(fixture_sentence(m, words), 0)
/** No advice contains the words. */
#define SAYS_NOT(m, words) CU_ASSERT_EQUAL(fixture_sentence(m, words), 0)

/** Begins each test: a new kernel m. */
#define FIXTURE(m)    \
    struct made_kernel m; \
    fixture_begin(&m)

/** Tests of the rules about global memory. */
extern CU_TestInfo advice_memory_tests[];
/** Tests of the rules about shared memory, atomics and constants. */
extern CU_TestInfo advice_shared_tests[];

#endif
