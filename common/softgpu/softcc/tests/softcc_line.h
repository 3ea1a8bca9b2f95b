/* SPDX-License-Identifier: MIT */
/** @file
 *  Tests of softcc's command line: the softcc of the test program's build
 *  folder, and a folder for sources and results.
 */
#ifndef SOFTCC_LINE_H
#define SOFTCC_LINE_H

#include <stdbool.h>

#include "common/softgpu/softcc/compiler/run.h"

/** Path of softcc; set by line_set_up(). */
extern char line_softcc[4096];
/** The folder; set by line_set_up(). */
extern char line_folder[64];

/** Find softcc and make the folder, with good.cu in it.  A suite's set-up.
 *  @return 0, or 1 where that fails */
int line_set_up(void);
/** Remove the folder.  A suite's end.  @return 0 */
int line_tear_down(void);

/** Run softcc with the words of a line; each %s in it is the folder. */
struct result line_run(const char *line);
/** The line is refused: status 3, and stderr holds these words. */
void line_expect_refusal(const char *line, const char *says);

/** The path of a file in the folder, until the next call. */
const char *line_path(const char *name);
/** Write a file there. */
void line_write(const char *name, const char *text);
/** Make a folder there. */
void line_make_folder(const char *name);
/** Is there such a file? */
bool line_exists(const char *name);

#endif
