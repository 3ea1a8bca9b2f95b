/* SPDX-License-Identifier: MIT */
/** @file
 *  What one step of training works on: arrays of the device, laid out in one
 *  piece of memory.  Host only; the pointers lead to device memory.
 */
#ifndef STEP_H
#define STEP_H

#include "common/net/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The arrays of a step.  `count` images lie in them; there is room for as
 *  many as they were laid out for. */
struct step {
    const struct network *net; /**< layers, shapes, how to train (host) */
    int count;                 /**< images of this step, at least 1 */
    uint64_t seed;             /**< of dropout */
    float *d_images;         /**< [count][channels][height][width] */
    unsigned char *d_labels; /**< [count] */
    float *d_parameters;     /**< net->parameters of them */
    float *d_gradients;      /**< of the loss, by parameter */
    float *d_first;          /**< velocity or first moment of each parameter */
    float *d_second;         /**< second moment, likewise */
    float *d_running;        /**< batchnorm, layer after layer: a mean for
                                  each channel, then a variance */
    float *d_out[NETWORK_LAYERS];  /**< what each layer puts out */
    float *d_back[NETWORK_LAYERS]; /**< gradient of the loss by that */
    int *d_which[NETWORK_LAYERS];  /**< maxpool: which element of the image's
                                        channel won */
    float *d_saved[NETWORK_LAYERS]; /**< batchnorm: mean, then 1 / deviation */
    float *d_rate;           /**< one: of learning, in this step */
    int *d_step;             /**< one: steps begun so far */
    float *d_totals;         /**< two: losses of images, images right; each
                                  step adds its own */
    unsigned char *d_chosen; /**< [count] most likely class of each image */
    void *d_work;            /**< train_workspace() bytes */
};

/** Lay the arrays out.
 *
 *  @param      net        stays the caller's, and as it is
 *  @param      batch      images there is room for
 *  @param      workspace  bytes of d_work
 *  @param      memory     device memory, at a multiple of 256; NULL: only
 *                         count
 *  @param[out] step       pointers, net and count = batch; seed is left 0
 *  @return bytes of it all; all of it must be 0 before the first step */
size_t step_layout(const struct network *net, int batch, size_t workspace,
                   void *memory, struct step *step);

/** Floats of d_running. */
size_t step_running(const struct network *net);

/** Where a layer's part of d_running begins. */
size_t step_running_at(const struct network *net, int layer);

#ifdef __cplusplus
}
#endif

#endif
