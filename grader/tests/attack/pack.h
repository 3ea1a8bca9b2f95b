/* SPDX-License-Identifier: MIT */
/** @file
 *  Recipes of archives and folders: cases/NAME.pack.
 *
 *  The first line says what is made, NAME being the student's:
 *
 *      zip NAME.zip | tar NAME.tar.gz | folder NAME
 *
 *  and each further line adds an entry, or changes the archive once it is
 *  written.  \n, \\ and \xHH stand for bytes; a # begins a comment.
 *
 *      file NAME TEXT    a regular file
 *      case NAME CASE    with the text of cases/CASE.cu
 *      dir NAME          link NAME TARGET    hard NAME TARGET    fifo NAME
 *      many COUNT        that many empty files
 *      deep COUNT        folders within each other
 *      large NAME MIB    zeros
 *      cut BYTES         from the end        flip OFFSET    one byte
 *      before TEXT       in front of it
 */
#ifndef ATTACK_PACK_H
#define ATTACK_PACK_H

#include <stdbool.h>

/** Make what the recipe says in `folder`.
 *  @return false with errno set, or a line on stderr that names the recipe's */
bool pack_make(const char *recipe, const char *folder);

#endif
