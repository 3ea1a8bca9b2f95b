/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 16, the contract: one step of training a network, and its evaluation.
 *  The network (network.h) and the arrays (step.h) are described on the host;
 *  all arrays lie in device memory.
 */
#ifndef CNN_TRAINER_H
#define CNN_TRAINER_H

#include "common/net/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that `d_work` must have for steps of up to `batch` images. */
size_t train_workspace(const struct network *net, int batch);

/** One step: forward, loss, backward, update.
 *
 *  @param[in] step  the arrays; the images and labels of `count` images are
 *                   there.  Written: all others but d_rate
 *  @return  cudaSuccess, or the error of a launch
 *
 *  The loss is softmax with cross-entropy, the mean over the images.  In this
 *  order: *d_step grows by 1; each layer puts out d_out (what is not needed
 *  later may be left out), batchnorm moves d_running a tenth of the way to the
 *  batch's mean and unbiased variance; d_totals grows by the sum of losses and
 *  by the number of images whose largest output is their label's, d_chosen is
 *  set; d_gradients is the gradient by all parameters; the optimiser of
 *  net->training changes d_parameters, d_first and d_second, with *d_rate and, for
 *  Adam's correction, *d_step.
 *
 *  Of equal elements of a maxpool's window the first wins, row by row.
 *  Dropout keeps the numbers that are kept divided by 1 - P, and draws anew
 *  from (seed, *d_step, layer, number).  The same arrays give the same bits.
 *
 *  Works on the default stream, may be captured into a graph, allocates
 *  nothing and may return before its kernels end.
 */
int train_step(const struct step *step);

/** Forward only: no dropout, batchnorm by d_running.  Adds to d_totals and
 *  writes d_chosen, d_out, d_work; nothing else. */
int train_evaluate(const struct step *step);

#ifdef __cplusplus
}
#endif

#endif
