/* SPDX-License-Identifier: MIT */
/** @file
 *  One line at the end of stdout, where that is a terminal: what is done
 *  meanwhile.
 */
#ifndef BASE_STATUS_LINE_H
#define BASE_STATUS_LINE_H

/** Show the line in place of the last one, cut to the terminal's columns; it is
 *  kept.  Nothing where stdout is no terminal. */
void status_line_show(const char *text);
/** Remove the line, for output that follows; nothing where none is shown. */
void status_line_erase(void);
/** Print a sentence to stderr, wrapped, above the line if one is shown. */
void status_line_note(const char *sentence);

#endif
