/* SPDX-License-Identifier: MIT */
/** @file
 *  What the attacks are aimed at: files, a listener and a secret that this
 *  program plants outside of every submission.  cases/hostile.h lists them.
 */
#ifndef ATTACK_PLANTED_H
#define ATTACK_PLANTED_H

#include <stdbool.h>
#include <stddef.h>

/** Make the files in `folder`/planted, listen, and set ATTACK_SECRET.
 *  @return false with errno set */
bool planted_create(const char *folder);
/** The lines of #define that come before each case.
 *  @return `text` */
char *planted_names(char *text, size_t bytes);
/** Is all as it was planted, and nothing left in shared places?
 *  @return false with what changed */
bool planted_is_unchanged(char *reason, size_t bytes);

#endif
