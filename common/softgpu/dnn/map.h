/* SPDX-License-Identifier: MIT */
/** @file
 *  out = alpha f(in...) + beta out, element by element.
 */
#ifndef SOFTGPU_DNN_MAP_H
#define SOFTGPU_DNN_MAP_H

#include "strip.h"
#include "walk.h"

/** A function of n elements of each input; `out` is no input's memory. */
typedef void dnn_function(double *restrict out, const double *const *in,
                          size_t n, const double *constants);
/** Define one by what is an element, of DNN_A, DNN_B, DNN_C and k. */
#define DNN_FUNCTION(name, element)                                    \
    DNN_LOOP static void name(double *restrict out,                    \
                              const double *const *in, size_t n,       \
                              const double *k)                         \
    {                                                                  \
        (void)in;                                                      \
        (void)k;                                                       \
        for (size_t i = 0; i < n; i++)                                 \
            out[i] = (element);                                        \
    }
#define DNN_A in[0][i] /**< element of the first input */
#define DNN_B in[1][i] /**< of the second */
#define DNN_C in[2][i] /**< of the third */

/** Such a call; argument[0] is written, the others are read, repeated where a
 *  dimension of theirs is 1. */
struct dnn_map {
    struct softgpu_library_call call;
    dnn_function *f;
    double constants[3];
    double alpha, beta;
    int arguments;
    struct dnn_argument argument[DNN_OPERANDS];
    struct dnn_walk walk; /**< made by dnn_map_submit */
};

/** Run part p, name the arrays: for DNN_CALL. */
void dnn_map_run(const void *self, unsigned part);
/** See there. */
void dnn_map_arrays(const void *self);
/** Queue it. */
cudnnStatus_t dnn_map_submit(cudnnHandle_t handle, struct dnn_map *map);
/** out = in[0]. */
dnn_function dnn_same;

#endif
