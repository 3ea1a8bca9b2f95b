/* SPDX-License-Identifier: MIT */
/** @file
 *  What was printed, kept for windows of other widths.
 */
#ifndef GRADER_KEPT_TEXT_H
#define GRADER_KEPT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** Print once more for each of some widths, into a file for each.
 *  @param prefix  of the files' names: "/tmp/x/text" makes /tmp/x/text.80
 *  @param print   prints to stdout, which has that width meanwhile, and the
 *                 styles of the real one
 *  @param data    its argument
 *  @return false with errno set when one could not be written */
bool kept_text_write(const char *prefix, void (*print)(const void *data),
                     const void *data);
/** Is there such a text? */
bool kept_text_exists(const char *prefix);
/** Print the widest of these texts that fits into the window, to stdout.
 *  @return false when there is none */
bool kept_text_show(const char *prefix);
/** The same, one screen of it (screens.h).
 *  @param screen  from 1; becomes the last one if there are fewer
 *  @return how many screens there are; 0 when there is no text */
size_t kept_text_show_screen(const char *prefix, size_t *screen);
/** Remove the files, if there are any. */
void kept_text_remove(const char *prefix);

#endif
