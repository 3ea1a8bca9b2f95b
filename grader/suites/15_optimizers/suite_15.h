/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers and tests of lab 15's suite.
 */
#ifndef GRADER_SUITE_15_H
#define GRADER_SUITE_15_H

#include <math.h>
#include <string.h>

#include "labs/15_optimizers/optimizers.h"
#include "grader/suite/suite.h"

/** Elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

/** Buffers of a network in training, and the state of a step. */
struct buffers {
    size_t n;      /**< elements of each */
    float *params; /**< updated by each step */
    float *grads;  /**< input of a step */
    float *first;  /**< updated by each step */
    float *second; /**< updated by each step */
    float rate;    /**< learning rate */
    float scale;   /**< scale of the gradients */
    bool no_scale; /**< the step gets NULL for it; `scale` is 1 */
    int step;      /**< step number, from 1 */
};

/** Allocate buffers: random parameters and gradients, zero moments, learning
 *  a random learning rate, step 1. */
struct buffers buffers_create(size_t n);
/** Fill the gradients with random values. */
void buffers_randomize_grads(struct buffers *b);
/** The lab's struct update for these buffers; weight decay applies to the
 *  first `decay_count` parameters. */
struct update buffers_to_update(const struct buffers *b, size_t decay_count);
/** Check one step against the formula in double. */
void optimizers_check_sgd(struct buffers *b, size_t decay_count,
                          const struct sgd *options);
/** Check one step against the formula in double. */
void optimizers_check_adam(struct buffers *b, size_t decay_count,
                           const struct adam *options);
/** Check the norm and scale of given gradients.  @return the scale */
float optimizers_check_norm(const float *grads, size_t n, float max_norm);
/** Compare n elements of an output.
 *  @param tolerance  of each element, absolute; NULL: exact */
void optimizers_compare(const char *name, const float *got, const double *want,
                        const double *tolerance, size_t n);

/* The tests, by file. */
void optimizers_sgd(void);        /**< sgd.c */
void optimizers_momentum(void);   /**< sgd.c */
void optimizers_nesterov(void);   /**< sgd.c */
void optimizers_decay(void);      /**< sgd.c */
void optimizers_adam(void);       /**< adam.c */
void optimizers_bias_correction(void); /**< adam.c */
void optimizers_epsilon(void);    /**< adam.c */
void optimizers_adamw(void);      /**< adam.c */
void optimizers_scale(void);      /**< clip.c */
void optimizers_norm(void);       /**< clip.c */
void optimizers_clip(void);       /**< clip.c */
void optimizers_nonfinite(void); /**< clip.c */
void optimizers_schedule(void);   /**< clip.c */
void optimizers_regression(void); /**< training.c */
void optimizers_mlp(void);        /**< training.c */
void optimizers_overfit(void);    /**< training.c */
void optimizers_empty(void);      /**< edges.c */
void optimizers_rejects_invalid(void);    /**< edges.c */
void optimizers_large(void);      /**< edges.c */
void optimizers_deterministic(void);      /**< edges.c */
void optimizers_no_leak(void);      /**< edges.c */
void optimizers_watched_small(void);        /**< edges.c; watched */
void optimizers_watched_cost(void);       /**< edges.c; watched */

#endif
