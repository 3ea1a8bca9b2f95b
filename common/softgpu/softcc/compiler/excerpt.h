/* SPDX-License-Identifier: MIT */
/** @file
 *  Lines of source in a compiler's messages.
 */
#ifndef SOFTCC_EXCERPT_H
#define SOFTCC_EXCERPT_H

#include <stddef.h>
#include <stdio.h>

#include "common/softgpu/softcc/support/arena.h"

/** Write messages of a compiler.  clang shows the lines that it compiled, which
 *  are the rewritten ones: where a message names a file that can be read, its
 *  line is shown instead.  gcc reads the file itself.
 *  @param out       where to
 *  @param messages  stderr of the compiler, with colors or without */
void write_messages(FILE *out, const struct buffer *messages);

/** Copy one line without the sequences that color it.
 *  @param[out] to    `room` bytes; a longer line is cut
 *  @param      room  bytes, at least 1
 *  @param      from  `n` bytes
 *  @param      n     bytes */
void copy_plain(char *to, size_t room, const char *from, size_t n);

#endif
