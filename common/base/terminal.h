/* SPDX-License-Identifier: MIT */
/** @file
 *  Capabilities of a terminal.  Host only.
 */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Ways to show text, by ECMA-48's SGR parameters. */
enum style {
    STYLE_NONE,   /**< ends the others */
    STYLE_BOLD,   /**< bold */
    STYLE_DIM,    /**< faint */
    STYLE_RED,    /**< red foreground */
    STYLE_GREEN,  /**< green foreground */
    STYLE_YELLOW, /**< yellow foreground */
    STYLES        /**< number of styles */
};

/** Is this stream a terminal that can erase and restyle a line?  No when the
 *  environment variable TERM is unset, empty or "dumb". */
bool is_terminal(FILE *out);
/** Columns of a line: 80 for a terminal that does not say how wide it is.
 *  @return SIZE_MAX where the stream is no terminal: lines are not broken */
size_t terminal_columns(FILE *out);
/** Rows of a terminal.
 *  @return SIZE_MAX where the stream is none, or does not say */
size_t terminal_rows(FILE *out);
/** Treat a stream as this terminal: what is written to memory has then its
 *  columns and styles.
 *  @param out       of open_memstream(); NULL: no stream any more
 *  @param terminal  to which the text will be written
 *  @param columns   of a line; 0: as the terminal has now */
void terminal_imitate(FILE *out, FILE *terminal, size_t columns);
/** The escape sequence that begins a style: an empty text where the stream is
 *  no such terminal, or NO_COLOR is set and not empty (no-color.org).
 *  @return static text */
const char *style(FILE *out, enum style style);

#endif
