/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 15.
 */
#ifndef GRADER_SUITES_15_OPTIMIZERS_MISTAKES_H
#define GRADER_SUITES_15_OPTIMIZERS_MISTAKES_H

#include "grader/suite/hypothesis.h"
#include "suite_15.h"

/** Buffers before a step, and its options; a copy, as the step overwrites
 *  them. */
struct step_before {
    struct buffers buffers;  /**< own arrays, freed when the test ends */
    size_t decay_count;      /**< parameters with weight decay */
    const struct sgd *sgd;   /**< options of SGD, or NULL: Adam */
    const struct adam *adam; /**< options of Adam */
    const float *params, *first, *second; /**< the step's results */
    float first_rate;        /**< learning rate of the test's first step */
    float last_rate;         /**< of the step before this one */
};

/** Copy the buffers before a step. */
struct step_before step_before_create(const struct buffers *b,
                                      size_t decay_count,
                                      const struct sgd *sgd,
                                      const struct adam *adam);
/** Try terms of the update that are missing or in the wrong place.
 *  @param context  a struct step_before */
mistakes optimizers_mistakes;

/** The squares of which the norm of n gradients is the root. */
struct response optimizers_norm_response(const float *grads, size_t n);

#endif
