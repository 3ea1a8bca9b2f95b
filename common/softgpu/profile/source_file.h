/* SPDX-License-Identifier: MIT */
/** @file
 *  The lines of a source file, if it can be read.
 */
#ifndef SOFTGPU_SOURCE_FILE_H
#define SOFTGPU_SOURCE_FILE_H

/** A source file in memory; opaque. */
struct source_text;

/** Read a source file.
 *
 *  @param[in] file  its path, with an extension of C, C++ or CUDA; a regular
 *                   file of at most 4 MB
 *  @param[in] roots the file must be below one of these folders, after symbolic
 *                   links are resolved; a NULL ends them. NULL: anywhere
 *  @return to be freed by source_free(); NULL if it cannot be read or must not
 *          be shown */
struct source_text *source_read(const char *file,
                                const char *const *roots);
/** 1 if two paths name the same file: they are equal, or one is the end of the
 *  other, as "k.cu" and "/home/me/k.cu". */
int source_paths_match(const char *a, const char *b);
/** Number of lines; 0 for NULL. */
int source_line_count(const struct source_text *source);
/** A line without its line end.
 *  @param source  may be NULL
 *  @param line    from 1
 *  @return NULL if there is no such line */
const char *source_line_at(const struct source_text *source, int line);
/** Free it; NULL is ignored. */
void source_free(struct source_text *source);

#endif
