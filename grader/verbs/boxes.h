/* SPDX-License-Identifier: MIT */
/** @file
 *  The option --tier: which boxes a verb uses.
 */
#ifndef GRADER_VERBS_BOXES_H
#define GRADER_VERBS_BOXES_H

#include "grader/box/box.h"
#include "options.h"

/** Check the limits of this shell, which submissions inherit, and use boxes of
 *  the tier that --tier names from now on, after the canary was refused in
 *  them.
 *  @param marks  without --tier take the best of A and B, and fail when neither
 *                can be made; else without it use no boxes
 *  @return false after one line on stderr */
bool boxes_open(const struct options *options, bool marks);

#endif
