/* SPDX-License-Identifier: MIT */
/** @file
 *  Reference implementation in plain C and double precision, which the kernels
 *  are compared to.  Written from the formulas, one loop after another, for
 *  readability.  Host only. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "network.h"

/** A network with parameters, gradients and activations. */
struct reference {
    const struct network *net; /**< not owned */
    double *parameters, *gradients; /**< net->parameters each */
    double *moments;           /**< two per parameter: velocity or first moment,
                                    second moment */
    int count;                 /**< capacity in images */
    int step;                  /**< steps done */
    double *out[NETWORK_MAX_LAYERS]; /**< output of each layer, [count][...] */
    double *out_grad[NETWORK_MAX_LAYERS]; /**< gradient of the loss with respect
                                               to it */
    const double *images;      /**< of the last forward pass; not owned */
    double *image_grad;        /**< gradient with respect to the images */
    const float *running;      /**< running statistics as in a checkpoint:
                                    batchnorm uses them, as when predicting;
                                    NULL: the statistics of the batch */
};

/** Allocate the arrays for `count` images and copy the parameters.  Dropout is
 *  the identity; batchnorm uses the statistics of the batch until
 *  reference->running is set.
 *  @return NULL without memory */
struct reference *reference_make(const struct network *net, int count,
                                 const float *parameters);

/** Free all arrays; does nothing for NULL. */
void reference_free(struct reference *reference);

/** Forward pass: mean loss of `count` images; fills reference->out. */
double reference_loss(struct reference *reference, const double *images,
                      const unsigned char *labels, int count);

/** Forward and backward pass: returns the mean loss, fills
 *  reference->gradients. */
double reference_backward(struct reference *reference, const double *images,
                          const unsigned char *labels, int count);

/** One optimizer step with the options of net->training.
 *  @param learning_rate  of this step */
void reference_optimizer_step(struct reference *reference,
                              double learning_rate);

#endif
