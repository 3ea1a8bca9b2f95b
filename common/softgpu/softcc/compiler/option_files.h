/* SPDX-License-Identifier: MIT */
/** @file
 *  Files of options: nvcc's --options-file, which CMake writes for long lines.
 */
#ifndef SOFTCC_OPTION_FILES_H
#define SOFTCC_OPTION_FILES_H

#include <stdbool.h>

#include "common/softgpu/softcc/support/arena.h"

/** Append a word of the command line, or the words of the file that it and the
 *  next one name.  The words are separated by blanks; quotes and backslashes
 *  are read as by a shell.
 *  @param[in,out] i  place of the word in argv; moved to the last one used
 *  @return false after a message: the file cannot be read */
bool append_words(struct list *words, int *i, char **argv);

#endif
