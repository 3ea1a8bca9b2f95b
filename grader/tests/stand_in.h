/* SPDX-License-Identifier: MIT */
/** @file
 *  A library that stands in for NVML (programs/nvml.c), for tests.
 */
#ifndef GRADER_TESTS_STAND_IN_H
#define GRADER_TESTS_STAND_IN_H

#include "grader/grade/card.h"

/** The stand-in's answers; valid after stand_in_open(). */
struct stand_in {
    unsigned *processes;     /**< on the card */
    unsigned *guest_queries; /**< so many queries see one process more */
    unsigned long long *reasons; /**< bits of nvmlClocksEventReasons */
};

extern struct stand_in stand_in; /**< of the last stand_in_open() */

/** Compile the stand-in, and open its card 1.
 *  @param folder   for the library
 *  @param options  "-DOLD": as before CUDA 12; or ""
 *  @param visible  as of card_open()
 *  @return as of card_open() */
struct card *stand_in_open(const char *folder, const char *options,
                           const char *visible);

#endif
