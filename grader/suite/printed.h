/* SPDX-License-Identifier: MIT */
/** @file
 *  What a submission prints on stdout, host code and kernels: kept by case, to
 *  be shown.  Nothing of it is parsed.
 */
#ifndef GRADER_SUITE_PRINTED_H
#define GRADER_SUITE_PRINTED_H

#include "common/base/process.h"
#include "run.h"

enum { PRINTED_LINES = 20 }; /**< kept of a test */

/** Keep what was printed since the last call: a line "    CASE" and the
 *  printed lines, indented by 6 and without control characters.
 *  @param out        what the runner wrote to its stdout so far
 *  @param offset     bytes of it that were kept before
 *  @param case_text  the running case; empty: no line for it
 *  @return bytes of it that are kept now */
size_t keep_output(struct outcome *outcome, const struct capture *out,
                   size_t offset, const char *case_text);

#endif
