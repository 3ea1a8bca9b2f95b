/* SPDX-License-Identifier: MIT */
/** @file
 *  The arrays of one training step in device memory, in one allocation.  Host
 *  only; the pointers are device pointers. */
#ifndef STEP_H
#define STEP_H

#include "network.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The arrays of a step.  They hold `count` images; the capacity is the batch
 *  of step_layout(). */
struct step {
    const struct network *net; /**< layers, shapes, training options (host) */
    int count;                 /**< images in this step, at least 1 */
    uint64_t seed;             /**< seed of dropout */
    float *d_images;           /**< [count][channels][height][width] */
    unsigned char *d_labels;   /**< [count] */
    float *d_parameters;       /**< net->parameters floats */
    float *d_gradients;        /**< net->parameters floats: of the loss with
                                    respect to each parameter */
    float *d_moment1;          /**< velocity (momentum) or first moment (Adam)
                                    of each parameter */
    float *d_moment2;          /**< second moment (Adam) of each parameter */
    float *d_running_stats;    /**< running statistics of batchnorm, layer after
                                    layer: means of all channels, then
                                    variances */
    float *d_out[NETWORK_MAX_LAYERS]; /**< output of each layer */
    float *d_out_grad[NETWORK_MAX_LAYERS]; /**< gradient of the loss with
                                                respect to the output */
    int *
        d_argmax[NETWORK_MAX_LAYERS]; /**< maxpool: index of the maximum in the
                                           image's channel */
    float *
        d_saved[NETWORK_MAX_LAYERS]; /**< batchnorm: mean, then 1 / standard
                                          deviation, of the batch */
    float *d_learning_rate;     /**< 1 float: learning rate of this step */
    int *d_step;                /**< 1 int: number of steps begun */
    float *d_totals;            /**< 2 floats, accumulated over steps: sum of
                                     the images' losses, number of correct
                                     predictions */
    unsigned char *d_predicted; /**< [count] predicted class of each image */
    union {
        void *d_workspace;          /**< workspace of train_workspace() bytes */
        void *d_work; /**< former name */
    };
};

/** Compute the layout and set the pointers.
 *
 *  @param      net        must stay valid and unchanged
 *  @param      batch      capacity in images
 *  @param      workspace  bytes of d_workspace
 *  @param      memory     device memory, aligned to 256; NULL: only compute
 *                         the size
 *  @param[out] step       pointers, net and count = batch; seed is 0
 *  @return bytes of all arrays; they must be zeroed before the first step */
size_t step_layout(const struct network *net, int batch, size_t workspace,
                   void *memory, struct step *step);

/** Number of floats of d_running_stats. */
size_t step_running_stats_count(const struct network *net);

/** Offset of a layer's running statistics in d_running_stats. */
size_t step_running_stats_offset(const struct network *net, int layer);

#ifdef __cplusplus
}
#endif

#endif
