/* SPDX-License-Identifier: MIT */
/** @file
 *  out = alpha f(in...) + beta out, element by element.
 */
#ifndef SOFTGPU_DNN_MAP_H
#define SOFTGPU_DNN_MAP_H

#include "walk.h"

/** Such a call; argument[0] is written, the others are read, repeated where a
 *  dimension of theirs is 1. */
struct dnn_map {
    struct softgpu_library_call call;
    /** The function of an element of each input. */
    double (*f)(const double *in, const double *constants);
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
/** f(in) = in[0]. */
double dnn_same(const double *in, const double *constants);

#endif
