/* SPDX-License-Identifier: MIT */
/** @file
 *  Element-wise operations: out = alpha f(in...) + beta out. */
#ifndef SOFTGPU_DNN_MAP_H
#define SOFTGPU_DNN_MAP_H

#include "strip.h"
#include "tensor_iterator.h"

/** Computes n elements; `out` does not overlap an input. */
typedef void dnn_function(double *restrict out, const double *const *in,
                          size_t n, const double *constants);
/** Define such a function by an expression of DNN_A, DNN_B, DNN_C and k. */
#define DNN_FUNCTION(name, element)                              \
    DNN_VECTORIZE static void name(double *restrict out,         \
                              const double *const *in, size_t n, \
                              const double *k)                   \
    {                                                            \
        (void)in;                                                \
        (void)k;                                                 \
        for (size_t i = 0; i < n; i++)                           \
            out[i] = (element);                                  \
    }
#define DNN_A in[0][i] /**< element of the first input */
#define DNN_B in[1][i] /**< element of the second input */
#define DNN_C in[2][i] /**< element of the third input */

/** The same for floats, where that gives the bits of the operation in double.
 *  `out` may be an input. */
typedef void dnn_float_function(float *out, const float *const *in, size_t n,
                                const double *constants);
/** Define such a function by an expression of DNN_A, DNN_B, DNN_C, k and
 *  out[i], which is what `out` had. */
#define DNN_FLOAT_FUNCTION(name, element)                              \
    DNN_VECTORIZE static void name(float *out, const float *const *in, \
                                   size_t n, const double *k)          \
    {                                                                  \
        (void)k;                                                       \
        for (size_t i = 0; i < n; i++)                                 \
            out[i] = (element);                                        \
    }

/** Arguments of a call. argument[0] is written, the others are read and
 *  broadcast along dimensions of size 1. */
struct dnn_elementwise {
    struct softgpu_library_call call; /**< must be first */
    dnn_function *f;     /**< the operation */
    dnn_float_function *floats; /**< alpha f(in...) + beta out of floats, for
                                     this alpha and beta; NULL: none */
    double constants[3]; /**< parameters of f */
    double alpha, beta;  /**< see the head of this file */
    int arguments;       /**< number of tensors */
    struct dnn_argument argument[DNN_MAX_OPERANDS];
    struct dnn_iterator iterator; /**< set by dnn_elementwise_submit() */
};

/** Compute part p: the `run` function of DNN_CALL. */
void dnn_elementwise_run(const void *self, unsigned part);
/** Declare the accesses: the `arrays` function of DNN_CALL. */
void dnn_elementwise_arrays(const void *self);
/** Submit a call. */
cudnnStatus_t dnn_elementwise_submit(cudnnHandle_t handle,
                                     struct dnn_elementwise *map);
/** out = in[0]. */
dnn_function dnn_identity;

#endif
