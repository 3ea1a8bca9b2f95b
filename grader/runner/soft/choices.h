/* SPDX-License-Identifier: MIT */
/** @file
 *  What the host's choices tell the device: a call whose arguments are not as
 *  the calls before let expect could carry a part of the result.  Not locked:
 *  transfers.c is.
 */
#ifndef GRADER_RUNNER_SOFT_CHOICES_H
#define GRADER_RUNNER_SOFT_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Forget all. */
void choices_forget(void);
/** The next call of the lab begins: it may repeat the choices of the last one,
 *  which tells nothing, as its data are others.  Those before are forgotten. */
void choices_next_call(void);
/** Bytes that a choice tells at most; 0: it was to be expected.
 *  @param key            of what is chosen: a function, a kernel
 *  @param words          the choice
 *  @param count          of the words
 *  @param first_is_free  the first choice under this key tells nothing */
size_t choice_bytes(const void *key, const uint64_t *words, size_t count,
                    bool first_is_free);
/** The same of data that are no input's: those that the last call had at the
 *  same place tell nothing, and at another place no more than its distance. */
size_t choice_data_bytes(const void *data, size_t bytes);

#endif
