/* SPDX-License-Identifier: MIT */
/** @file
 *  What became of the corpus, by group.
 */
#ifndef ATTACK_SUMMARY_H
#define ATTACK_SUMMARY_H

#include "attack.h"

/** Outcome of a row. */
enum attack_outcome {
    ATTACK_NOT_RUN,     /**< in another part, or it cannot be run */
    ATTACK_AS_KNOWN,    /**< as the table says */
    ATTACK_NOT_AS_KNOWN /**< otherwise */
};

/** Print a line for each group (A: forge, B: steal, ...), and one for each row
 *  of the table that does not hold or is not run anywhere. */
void attack_print_summary(const struct attack *rows,
                          const enum attack_outcome *outcome, size_t count);

#endif
