/* SPDX-License-Identifier: MIT */
/** @file
 *  A value that a block stores after the flag that announces it.  Where both
 *  are atomic or volatile there is no data race, fences or not, and yet a
 *  thread that waits for the flag may read the value before it is there.
 *
 *  The pair is reported where a schedule shows it: a thread polls a flag, loads
 *  a word that no thread of the launch has stored, and then the flag's block
 *  stores that word, unordered with the load.  No finding is a word that the
 *  block of the reader loads again, a flag that is stored again later (it may
 *  announce the word then), or one after which the reader's block loads
 *  anything else of the other block: then that may be what was announced.
 */
#ifndef SOFTGPU_WATCH_LATE_VALUE_H
#define SOFTGPU_WATCH_LATE_VALUE_H

#include "racecheck.h"

/** The running thread accesses a word of device memory; its records do not have
 *  the access yet. */
void late_value_access(const struct word_access *word);
/** The grid has ended: report what it has shown. */
void late_value_end_grid(void);

#endif
