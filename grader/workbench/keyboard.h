/* SPDX-License-Identifier: MIT */
/** @file
 *  Single keys from the terminal, without Enter.
 */
#ifndef GRADER_WORKBENCH_KEYBOARD_H
#define GRADER_WORKBENCH_KEYBOARD_H

#include <stdbool.h>
#include <stdio.h>

/** Let stdin deliver keys as they are typed, unechoed; ctrl-C and ctrl-Z keep
 *  their meaning.  The terminal's own settings are put back at exit.
 *  @return false when stdin is no terminal: there are no keys then */
bool keyboard_open(void);
/** Must the screen be drawn again?  True once after the window's size changed,
 *  and after ctrl-Z and fg, when the shell's lines are on it. */
bool keyboard_screen_changed(void);
/** A key that was typed; cursor keys and the like are skipped.
 *  @return 0 when there is none, -1 when the terminal was closed */
int keyboard_read(void);
/** Print what the keys of watch do, in as many lines as that needs. */
void keyboard_show_keys(FILE *out);
/** Put the terminal's own settings back. */
void keyboard_close(void);

#endif
