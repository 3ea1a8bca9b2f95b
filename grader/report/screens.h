/* SPDX-License-Identifier: MIT */
/** @file
 *  A text of more lines than the window has rows.
 */
#ifndef GRADER_SCREENS_H
#define GRADER_SCREENS_H

#include <stddef.h>

/** Print one screen of a text to stdout: as many lines as the window has beside
 *  a title and the footer of `warpbook watch`.
 *  @param text    lines, each with its end
 *  @param screen  from 1; becomes the last one if there are fewer
 *  @return how many screens there are: 1 where stdout is no terminal */
size_t show_screen_of(const char *text, size_t *screen);

#endif
