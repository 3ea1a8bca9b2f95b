/* SPDX-License-Identifier: MIT */
/** @file
 *  A lab's handout: the reference with `handout.diff` applied.
 *
 *  The patch (`grader/mutants/NN_stem/handout.diff`) changes the file of
 *  `solutions/NN_stem` that the settings names, and headers beside it.  Then
 *  each `#include "NAME"` of a header beside the reference is replaced by that
 *  header's patched text, without its SPDX line: the learner's file stands
 *  alone.  Headers that such a header includes stay includes.
 */
#ifndef BASE_HANDOUT_EXTRACT_H
#define BASE_HANDOUT_EXTRACT_H

enum { HANDOUT_ERROR_SIZE = 512 }; /**< bytes of an error's line */

/** Make a handout.
 *  @param folder  of the solutions: "solutions/01_vector_add"
 *  @param file    the step in it that is patched: "3_vectorized.cu"
 *  @param patch   path of handout.diff
 *  @param error   HANDOUT_ERROR_SIZE bytes for one line, the file first
 *  @return the handout, malloced; NULL with `error` when a file cannot be
 *  read, the patch does not apply or changes a file that is not included */
char *extract_handout(const char *folder, const char *file, const char *patch,
                      char *error);

#endif
