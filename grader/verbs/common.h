/* SPDX-License-Identifier: MIT */
/** @file
 *  What several verbs need.
 */
#ifndef GRADER_VERBS_COMMON_H
#define GRADER_VERBS_COMMON_H

#include "../grade.h"
#include "../options.h"

/** Say one line on stderr: "warpbook: ...".  @return `code` */
int complain(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Open a lab and apply the limits of the command line.
 *  @return false after one line on stderr */
bool open_lab(const char *name, const struct options *options,
              struct lab *lab);
/** The file that --from means for this lab.
 *  @return false after one line on stderr */
bool source_path(const struct options *options, const struct lab *lab,
                 char *path);
/** Cut the handout from the lab's reference (verbs/cut.c).
 *  @return malloced text, or NULL with one line in `error` (LAB_ERROR) */
char *cut_lab(const struct lab *lab, char *error);

#endif
