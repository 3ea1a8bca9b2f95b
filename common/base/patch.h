/* SPDX-License-Identifier: MIT */
/** @file
 *  Unified diffs, applied to a text in memory.
 *
 *  A diff may change several files: `--- a/NAME`, `+++ b/NAME`, then hunks.
 *  Lines before the first `---` are comments.  Context and removed lines must
 *  match exactly (a fuzz of 0); a hunk whose line number no longer fits is
 *  applied at the nearest place whose lines match.
 */
#ifndef BASE_PATCH_H
#define BASE_PATCH_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PATCH_NAME_SIZE = 64,   /**< bytes of a file's name in a diff */
    PATCH_ERROR_SIZE = 256  /**< bytes of an error's line */
};

/** Apply the hunks of one file.
 *  @param diff   the whole diff, NUL-terminated
 *  @param name   the file; a diff without hunks for it changes nothing
 *  @param text   the file's content, NUL-terminated
 *  @param error  PATCH_ERROR_SIZE bytes: "line 12: ...", a line of the diff
 *  @return the changed content, malloced; NULL with `error` when a hunk is
 *  malformed or matches nowhere */
char *patch_apply(const char *diff, const char *name, const char *text,
                  char *error);
/** Find the next file that a diff changes.
 *  @param diff  the diff, or what the previous call returned
 *  @param name  PATCH_NAME_SIZE bytes: the file's name, without `b/`
 *  @return the rest of the diff; NULL when it changes no further file */
const char *patch_next_file(const char *diff, char *name);

#endif
