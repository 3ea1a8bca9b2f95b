/* SPDX-License-Identifier: MIT */
/** @file
 *  The race watcher's loose end.
 */
#ifndef SOFTGPU_RACE_H
#define SOFTGPU_RACE_H

/** Judge the write that waits for its value; the calling OS thread has made
 *  it by now. */
void race_settle(void);

#endif
