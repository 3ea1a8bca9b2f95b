/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 13, for suite_mistakes(); the context is the struct
 *  network_step, after network_step_reference().
 */
#ifndef GRADER_SUITE_13_MISTAKES_H
#define GRADER_SUITE_13_MISTAKES_H

#include "grader/suites/shared/network_reference.h"
#include "grader/suite/hypothesis.h"

/** Of the scores. */
void layer_score_mistakes(struct hypotheses *h, const void *context);
/** Of the loss. */
void layer_loss_mistakes(struct hypotheses *h, const void *context);
/** For later calls: unless the test has failed, the loss was right. */
void layer_keep_loss(const struct network_step *s);

/** A part of the gradients. */
struct layer_part {
    const struct network_step *step; /**< with its reference */
    size_t from;                     /**< first element in `gradients` */
};
/** Of that part. */
void layer_gradient_mistakes(struct hypotheses *h, const void *context);
/** Of the gradient with respect to x. */
void layer_x_gradient_mistakes(struct hypotheses *h, const void *context);

#endif
