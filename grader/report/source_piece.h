/* SPDX-License-Identifier: MIT */
/** @file
 *  Pieces of a source: what they contain, and what changes in them. */
#ifndef GRADER_SOURCE_PIECE_H
#define GRADER_SOURCE_PIECE_H

#include <stdbool.h>
#include <stddef.h>

/** A piece of the source; not terminated. */
struct piece {
    const char *at;
    size_t length;
};

/** Is a name changed in a text: =, +=, ++, --, or its address taken? */
bool is_changed(const char *name, size_t length, struct piece text);
/** Does the text contain this, spaces aside? */
bool has(struct piece text, const char *wanted);
/** Does the text contain these words, as they are? */
bool contains(struct piece text, const char *words);
/** What a variable of this name is set to first; empty if that is not found.
 *  @param text  the whole source */
struct piece first_value(const char *text, struct piece name);

#endif
