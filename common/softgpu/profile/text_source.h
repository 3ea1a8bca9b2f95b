/* SPDX-License-Identifier: MIT */
/** @file
 *  The lines of a source file, where it can still be read.
 */
#ifndef SOFTGPU_TEXT_SOURCE_H
#define SOFTGPU_TEXT_SOURCE_H

/** A source file in memory. */
struct source_text;

/** Read a file, if it is one that holds source.
 *
 *  @param[in] file  its path; must end like C, C++ or CUDA source, and be a
 *                   regular file of at most 4 MB
 *  @param[in] root  only below this folder, links followed; NULL: anywhere
 *  @return NULL when it is not there, or not to be shown
 */
struct source_text *source_read(const char *file, const char *root);
/** 1 if both paths name one file: equal, or one is the end of the other, as a
 *  compiler writes "k.cu" here and "/home/me/k.cu" there. */
int source_same(const char *a, const char *b);
/** How many lines it has; 0 for NULL. */
int source_lines(const struct source_text *source);
/** A line without its end, from 1; NULL when there is none. */
const char *source_line_at(const struct source_text *source, int line);
/** Free it; NULL is nothing. */
void source_free(struct source_text *source);

#endif
