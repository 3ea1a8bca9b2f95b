/* SPDX-License-Identifier: MIT */
/** @file
 *  Has a learner begun a lab?
 */
#ifndef GRADER_HANDOUT_H
#define GRADER_HANDOUT_H

#include <stdbool.h>

/** Is a learner's file still the handout, to the byte?
 *  @param path    the learner's file
 *  @param folder  the lab's folder of solutions
 *  @param marked  the file there that the handout is cut from
 *  @return false when a file cannot be read, too */
bool handout_untouched(const char *path, const char *folder,
                       const char *marked);

#endif
