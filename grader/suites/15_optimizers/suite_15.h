/* SPDX-License-Identifier: MIT */
/** @file
 *  What the parts of lab 15's suite share.
 */
#ifndef GRADER_SUITE_15_H
#define GRADER_SUITE_15_H

#include <math.h>
#include <string.h>

#include "labs/15_optimizers/optimizers.h"
#include "suite.h"

/** Elements of a table. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

/** Buffers of a network in training, and what changes from step to step. */
struct buffers {
    size_t n;      /**< elements of each */
    float *params; /**< replaced by each step */
    float *grads;  /**< the suite's */
    float *first;  /**< replaced */
    float *second; /**< replaced */
    float rate;    /**< learning rate */
    float scale;   /**< factor of the gradients */
    int step;      /**< number of the step, from 1 */
};

/** Random parameters and gradients, moments 0, rate 0.01, step 1. */
struct buffers buffers_new(size_t n);
/** New gradients of mixed sign. */
void buffers_grads(struct buffers *b);
/** As the contract has it; the first `decayed` decay. */
struct update buffers_update(const struct buffers *b, size_t decayed);
/** One step, checked against the formula in double. */
void optimizers_try_sgd(struct buffers *b, size_t decayed,
                        const struct sgd *how);
/** One step, checked against the formula in double. */
void optimizers_try_adam(struct buffers *b, size_t decayed,
                         const struct adam *how);
/** The norm of given gradients, checked. @return the scale */
float optimizers_try_norm(const float *grads, size_t n, float most);
/** Compare n elements; `slack` is what each may be off by, NULL: exact. */
void optimizers_expect(const char *name, const float *got, const double *want,
                       const double *slack, size_t n);

/* The tests, by the file they are in. */
void optimizers_sgd(void);        /**< sgd.c */
void optimizers_momentum(void);   /**< sgd.c */
void optimizers_nesterov(void);   /**< sgd.c */
void optimizers_decay(void);      /**< sgd.c */
void optimizers_adam(void);       /**< adam.c */
void optimizers_correction(void); /**< adam.c */
void optimizers_epsilon(void);    /**< adam.c */
void optimizers_adamw(void);      /**< adam.c */
void optimizers_scale(void);      /**< clip.c */
void optimizers_norm(void);       /**< clip.c */
void optimizers_clip(void);       /**< clip.c */
void optimizers_not_finite(void); /**< clip.c */
void optimizers_schedule(void);   /**< clip.c */
void optimizers_regression(void); /**< training.c */
void optimizers_mlp(void);        /**< training.c */
void optimizers_overfit(void);    /**< training.c */
void optimizers_empty(void);      /**< edges.c */
void optimizers_refused(void);    /**< edges.c */
void optimizers_large(void);      /**< edges.c */
void optimizers_again(void);      /**< edges.c */
void optimizers_frees(void);      /**< edges.c */
void optimizers_few(void);        /**< edges.c; watched */
void optimizers_flat(void);       /**< edges.c; watched */

#endif
