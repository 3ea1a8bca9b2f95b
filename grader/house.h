/* SPDX-License-Identifier: MIT */
/** @file
 *  Where things are: the source tree, the build folder, temporary folders.
 */
#ifndef GRADER_HOUSE_H
#define GRADER_HOUSE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** Find the source tree (WARPBOOK_HOME, or beside or above the program, or
 *  above the working folder) and the build folder (the program's own).
 *  @return false after one line on stderr */
bool house_find(void);
/** The source tree, absolute; valid after house_find. */
const char *house_root(void);
/** The build folder, absolute. */
const char *house_build(void);
/** Write "root/a/b" for a printf-like "a/b".  @return `path` (PATH_MAX). */
char *house_path(char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Make a temporary folder in the build folder, or where TMPDIR says when that
 *  cannot be written; removed at exit unless `keep_temporary` was called.
 *  @return false with errno set */
bool make_temporary(char *path);
/** Keep the temporary folders and say where they are. */
void keep_temporary(void);
/** In a child process: the folders made so far are the parent's to remove. */
void forget_temporary(void);
/** Remove all temporary folders now. */
void remove_temporary(void);
/** Make a folder and those above it.  @return false with errno set. */
bool make_folders(const char *path);
/** Read a whole file of at most `most` bytes; NUL added; the caller frees.
 *  @return NULL with errno set (EFBIG when it is larger) */
char *read_whole(const char *path, size_t most, size_t *length);
/** Write a file so that it is there whole or not at all.
 *  @return false with errno set; nothing is left behind then */
bool write_whole(const char *path, const char *text, size_t length);

#endif
