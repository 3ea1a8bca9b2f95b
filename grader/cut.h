/* SPDX-License-Identifier: MIT */
/** @file
 *  Cutting a lab's handout from its reference.
 *
 *  Between `// BEGIN SOLUTION` and `// HANDOUT` lines are left out; from there
 *  to `// END SOLUTION` they lose their leading `// ` (or a lone `//`) and
 *  become the learner's text.  The markers vanish, all else is copied: the
 *  handout is the reference's own lines wherever it can be.  Markers stand
 *  alone on their line, in column 1.
 *
 *  A copied `#include "NAME"` of a file beside the reference is replaced by
 *  what cutting that file gives, without its SPDX line: the learner's file
 *  stands alone.
 */
#ifndef GRADER_CUT_H
#define GRADER_CUT_H

#include <stddef.h>

/** Cut.
 *  @param text    the reference, NUL-terminated
 *  @param folder  where it lies, for what it includes; NULL: nowhere
 *  @param error   256 bytes for one line, the line's number first
 *  @return the handout, malloced; NULL with `error` when markers do not match
 *  or nothing is marked */
char *cut(const char *text, const char *folder, char *error);

#endif
