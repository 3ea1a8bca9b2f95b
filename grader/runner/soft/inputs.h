/* SPDX-License-Identifier: MIT */
/** @file
 *  The inputs of a call in host memory: which of their bytes were copied to the
 *  device, and how many others were.  Not locked: transfers.c is.
 */
#ifndef GRADER_RUNNER_SOFT_INPUTS_H
#define GRADER_RUNNER_SOFT_INPUTS_H

#include <stddef.h>
#include <stdint.h>

/** Forget all: the next call begins. */
void inputs_forget(void);
/** Note an input.
 *  @param index     of the argument
 *  @param at        its address in both processes; NULL: it has none, the
 *                   host makes these bytes
 *  @param received  its contents; stay valid until inputs_forget() */
void inputs_add(unsigned index, const void *at, const void *received,
                size_t bytes);
/** Bytes of an input are copied up.
 *  @param host  an address in host memory
 *  @return the contents that were received for it; NULL: no input has them */
const void *inputs_take(const void *host, size_t bytes);
/** Bytes are copied up that the host had somewhere else: are they parts of an
 *  input?
 *  @param to   where they go on the device
 *  @param old  contents of the same place on the device, which are not the
 *              host's own; NULL: none */
void inputs_classify(const void *to, const char *data, const char *old,
                     size_t bytes);
/** Count bytes as the host's own. */
void inputs_count_own(size_t bytes);
/** Bytes of the host's own so far. */
uint64_t inputs_own_bytes(void);
/** A bit for each argument whose bytes were not all copied up. */
uint32_t inputs_not_copied(void);

#endif
