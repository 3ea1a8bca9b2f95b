/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 16, the contract: one training step of a network, and its evaluation.
 *  The network (network.h) and the struct of arrays (step.h) are in host
 *  memory; the arrays themselves are in device memory.
 */
#ifndef CNN_TRAINER_H
#define CNN_TRAINER_H

#include "common/net/step.h"

#ifdef __cplusplus
#include "former_names.h"
extern "C" {
#endif

/** Bytes of `d_workspace` for steps of up to `batch` images: less than 1 GiB for
 *  the networks of the grader, which are small. */
size_t train_workspace(const struct network *net, int batch);

/** One training step: forward, loss, backward, update.
 *
 *  @param[in] step  the arrays.  Images and labels of `count` images and
 *                   d_learning_rate are read; all other arrays are written
 *  @return  cudaSuccess, or the error of a launch
 *
 *  The loss is softmax with cross-entropy, the mean over the images.  In this
 *  order:
 *  - *d_step is incremented;
 *  - each layer writes d_out (an array that is not needed later may be
 *    omitted); batch normalization updates d_running_stats with a weight of 0.1
 *    for the mean and the unbiased variance of the batch;
 *  - d_totals is increased by the sum of the losses and by the number of images
 *    whose largest output is that of their label; d_predicted is written: the
 *    first of the largest outputs;
 *  - d_gradients becomes the gradient of the loss with respect to all
 *    parameters;
 *  - the optimizer of net->training updates d_parameters, d_moment1 and
 *    d_moment2, with *d_learning_rate and, for Adam's bias correction, *d_step.
 *    Weight decay is for all parameters, biases included; Adam and AdamW have
 *    beta1 = 0.9, beta2 = 0.999 and epsilon = 1e-8.
 *
 *  Of equal elements in a max-pooling window the first one in row-major order
 *  is the maximum.  Dropout divides the elements that it keeps by 1 - P; its
 *  random numbers depend on seed, *d_step, layer and element only.
 *  Deterministic: the same arrays give the same bits.
 *
 *  Uses the default stream, may be captured into a graph, allocates nothing and
 *  may return before its kernels have finished.
 */
int train_step(const struct step *step);

/** The forward pass only: no dropout, batch normalization with
 *  d_running_stats.  Adds to d_totals and writes d_predicted, d_out and
 *  d_workspace; nothing else.
 *  @param[in] step  the arrays
 *  @return  cudaSuccess, or the error of a launch */
int train_evaluate(const struct step *step);

#ifdef __cplusplus
}
#endif

#endif
