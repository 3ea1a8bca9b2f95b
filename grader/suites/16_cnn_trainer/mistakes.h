/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 16.
 */
#ifndef GRADER_SUITES_16_CNN_TRAINER_MISTAKES_H
#define GRADER_SUITES_16_CNN_TRAINER_MISTAKES_H

#include "grader/suite/hypothesis.h"
#include "suite_16.h"

/** An optimizer step that was made. */
struct update_made {
    const struct fixture *fixture; /**< after the step; x->gradients are the
                                        lab's gradients */
    const double *before;  /**< parameters, then both moments, before it */
    double learning_rate;  /**< of the step */
    int output; /**< compared array: 0 parameters, 1, 2 a moment */
};

/** Try updates with another constant, or without one of their terms.
 *  @param context  a struct update_made */
mistakes trainer_update_mistakes;
/** Try the right update with another learning rate, array or step number. */
void trainer_other_update_mistakes(struct hypotheses *h,
                                   const struct update_made *u);

/** The gradient of a layer's weights or biases. */
struct gradient_made {
    const struct fixture *fixture; /**< after the step */
    size_t at; /**< offset of its first element in d_gradients */
};

/** Try gradients of another loss than the mean over the images, or with
 *  something missing on the way back.
 *  @param context  a struct gradient_made */
mistakes trainer_gradient_mistakes;

/** Try the last outputs without one of the layers, or without biases.
 *  @param context  a struct fixture, after a training step */
mistakes trainer_output_mistakes;

/** Try the last outputs of an evaluation that normalizes otherwise.
 *  @param context  a struct fixture */
mistakes trainer_evaluation_mistakes;

/** Totals before and after a pass. */
struct totals_made {
    const float *before; /**< loss and correct predictions before it */
    double loss;         /**< sum of the losses of its images */
    double correct;      /**< number of its correct predictions */
    int count;           /**< its images */
    const struct fixture *fixture; /**< after the pass */
};

/** Try totals of another reduction.
 *  @param context  a struct totals_made */
mistakes trainer_total_mistakes;

/** Running statistics of a batch normalization. */
struct statistics_made {
    const struct network *net; /**< whose they are */
    const float *before;  /**< all running statistics before the step */
    const double *batch;  /**< mean and biased variance in the same layout */
    const double *biased; /**< factor of each from biased to unbiased; 1 for
                               means */
};

/** Try running statistics with other weights, or another variance.
 *  @param context  a struct statistics_made */
mistakes trainer_statistics_mistakes;

/** The mistake that gives all predictions of a step: ": text", or "".
 *  @param out       outputs of the last layer in double, [count][classes]
 *  @param training  a training step, not an evaluation
 *  @param image     the first wrong prediction
 *  @param argmax    what it should be */
const char *trainer_why_predicted(const struct step *step, const double *out,
                                  bool training, int image, int argmax);

#endif
