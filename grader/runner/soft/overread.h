/* SPDX-License-Identifier: MIT */
/** @file
 *  Copies from an array of a call in host memory that read past its end.  Not
 *  locked: transfers.c is.
 */
#ifndef GRADER_RUNNER_SOFT_OVERREAD_H
#define GRADER_RUNNER_SOFT_OVERREAD_H

#include <stddef.h>

#include "grader/channel/message.h"

/** Forget all arrays: the next call begins. */
void overread_forget(void);
/** Note an array.
 *  @param index  of the argument
 *  @param at     its address in the host process */
void overread_add(unsigned index, const void *at, size_t bytes);
/** A copy reads these bytes of host memory.  Of one that does so in several
 *  pieces each is told. */
void overread_note(const void *host, size_t bytes);
/** Report the first array whose end a copy has passed. */
void overread_report(struct facts *facts);

#endif
