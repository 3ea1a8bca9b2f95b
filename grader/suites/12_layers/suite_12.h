/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers and tests of lab 12's suite.
 */
#ifndef GRADER_SUITE_12_H
#define GRADER_SUITE_12_H

#include <math.h>
#include <string.h>

#include "labs/12_layers/layers.h"
#include "grader/suite/suite.h"
#include "grader/suites/shared/gradient_check.h"

/** Elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

/** Elements of a tensor of this shape; 0 for a shape that a lab must reject. */
size_t layers_element_count(const struct layer_shape *shape);
/** Rounding errors that the contract allows in a sum of m terms. */
double layers_rounding_steps(size_t m);
/** Allocate n random floats in lo <= x < hi; freed when the test ends. */
float *layers_random_floats(size_t n, double lo, double hi);
/** Allocate a copy of n floats in double. */
double *layers_to_doubles(const float *from, size_t n);
/** The channel of element i. */
size_t layers_channel_index(const struct layer_shape *shape, size_t i);
/** Compare an output tensor with its reference.
 *  @param tolerance  of each element, absolute; NULL: exact */
void layers_compare(const char *name, const float *got, const double *want,
                    const double *tolerance, const struct layer_shape *shape);
/** Compare n elements of an output with their reference, as
 *  layers_compare(). */
void layers_compare_n(const char *name, const float *got, const double *want,
                      const double *tolerance, size_t n);
/** Name the case: the function and the shape. */
void layers_name_case(const char *what, const struct layer_shape *shape);

/** Each launch of each function fails in turn (failures.c). */
void layers_check_failures(void);

/* The tests, by file. */
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
void layers_test_dropout_rate(void); /**< dropout.c */
void layers_test_norm(void); /**< batchnorm.c */
void layers_test_norm_hard(void); /**< batchnorm.c */
void layers_test_norm_inference(void); /**< batchnorm.c */
void layers_test_norm_grad(void); /**< batchnorm.c */
void layers_test_gradients(void); /**< gradients.c */
void layers_test_empty(void); /**< edges.c */
void layers_test_rejects_invalid(void); /**< edges.c */
void layers_test_nan(void); /**< edges.c */
void layers_test_in_place(void); /**< edges.c */
void layers_test_large(void); /**< edges.c */
void layers_test_deterministic(void); /**< edges.c */
void layers_test_no_leak(void); /**< edges.c */
void layers_watched_small(void); /**< edges.c */
void layers_watched_fused(void); /**< edges.c */

/* One call with random inputs, checked. */
/** Forward. */
void layers_check_bias(const struct layer_shape *shape);
/** Backward. */
void layers_check_bias_grad(const struct layer_shape *shape);
/** Both ways. */
void layers_check_relu(size_t n);
/** Both ways. */
void layers_check_fused(const struct layer_shape *shape);
/** Both ways. */
void layers_check_pool(const struct pool_shape *shape);
/** Forward. */
void layers_check_softmax(size_t rows, size_t classes);
/** And its gradient. */
void layers_check_loss(size_t rows, size_t classes);
/** Both ways. */
void layers_check_dropout(float p, size_t n);
/** Both ways. */
void layers_check_norm(const struct layer_shape *shape, int relu);
/** After. */
void layers_check_norm_inference(const struct layer_shape *shape, int relu);

#endif
