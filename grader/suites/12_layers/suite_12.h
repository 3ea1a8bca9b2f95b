/* SPDX-License-Identifier: MIT */
/** @file
 *  What the parts of lab 12's suite share.
 */
#ifndef GRADER_SUITE_12_H
#define GRADER_SUITE_12_H

#include <math.h>
#include <string.h>

#include "labs/12_layers/layers.h"
#include "suite.h"
#include "suites/gradient.h"

/** Elements of a table. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

/** True: the stub's next calls compute in place where the contract allows. */
extern bool layers_in_place;
/** What the batch-norm stubs pass for a NULL of the struct: nothing to read. */
size_t layers_count(const struct layer_shape *shape);
/** Sum of how many rounding errors a sum of m may have. */
double layers_steps(size_t m);
/** n floats between lo and hi, freed when the test ends. */
float *layers_floats(size_t n, double lo, double hi);
/** The same numbers in double. */
double *layers_doubles(const float *from, size_t n);
/** The channel that element i belongs to. */
size_t layers_channel(const struct layer_shape *shape, size_t i);
/** Compare an array of the shape whose tolerance is `slack`, or exactly when
 *  that is NULL. */
void layers_expect(const char *name, const float *got, const double *want,
                   const double *slack, const struct layer_shape *shape);
/** Compare n elements likewise. */
void layers_expect_n(const char *name, const float *got, const double *want,
                     const double *slack, size_t n);
/** Say a shape. */
void layers_say(const char *what, const struct layer_shape *shape);

/* The tests, by the file they are in. */
void layers_test_bias(void); /**< bias.c */
void layers_test_bias_grad(void); /**< bias.c */
void layers_test_relu(void); /**< bias.c */
void layers_test_fused(void); /**< bias.c */
void layers_test_pool(void); /**< pool.c */
void layers_test_pool_ties(void); /**< pool.c */
void layers_test_pool_grad(void); /**< pool.c */
void layers_test_softmax(void); /**< softmax.c */
void layers_test_stable(void); /**< softmax.c */
void layers_test_loss(void); /**< softmax.c */
void layers_test_labels(void); /**< softmax.c */
void layers_test_dropout(void); /**< dropout.c */
void layers_test_drop_share(void); /**< dropout.c */
void layers_test_norm(void); /**< norm.c */
void layers_test_norm_hard(void); /**< norm.c */
void layers_test_norm_later(void); /**< norm.c */
void layers_test_norm_grad(void); /**< norm.c */
void layers_test_gradients(void); /**< gradients.c */
void layers_test_empty(void); /**< edges.c */
void layers_test_refused(void); /**< edges.c */
void layers_test_nan(void); /**< edges.c */
void layers_test_in_place(void); /**< edges.c */
void layers_test_large(void); /**< edges.c */
void layers_test_again(void); /**< edges.c */
void layers_test_frees(void); /**< edges.c */
void layers_watch_few(void); /**< edges.c */
void layers_watch_fused(void); /**< edges.c */

/* One random call of a kind, checked: for tests that do all kinds. */
/** Forward. */
void layers_try_bias(const struct layer_shape *shape);
/** Backward. */
void layers_try_bias_grad(const struct layer_shape *shape);
/** Both ways. */
void layers_try_relu(size_t n);
/** Both ways. */
void layers_try_fused(const struct layer_shape *shape);
/** Both ways. */
void layers_try_pool(const struct pool_shape *shape);
/** Forward. */
void layers_try_softmax(size_t rows, size_t classes);
/** And its gradient. */
void layers_try_loss(size_t rows, size_t classes);
/** Both ways. */
void layers_try_dropout(float p, size_t n);
/** Both ways. */
void layers_try_norm(const struct layer_shape *shape, int relu);
/** After. */
void layers_try_norm_later(const struct layer_shape *shape, int relu);

#endif
