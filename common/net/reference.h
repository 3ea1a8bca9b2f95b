/* SPDX-License-Identifier: MIT */
/** @file
 *  A network in plain C and double: what the kernels are compared to.  Written
 *  from the formulas, one loop after another, to be read and to be right.
 *  Host only.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "common/net/network.h"

/** A network with its numbers. */
struct reference {
    const struct network *net; /**< the owner's */
    double *parameters, *gradients; /**< net->parameters */
    double *moments;           /**< two for each */
    int count;                 /**< images there is room for */
    int step;                  /**< done so far */
    double *out[NETWORK_LAYERS];  /**< what each layer puts out */
    double *back[NETWORK_LAYERS]; /**< gradient of the loss by that */
    double *first;             /**< gradient by the images */
};

/** Make one.  Dropout is left out and batchnorm is as in training.
 *  @return NULL without memory */
struct reference *reference_make(const struct network *net, int count,
                                 const float *parameters);

/** Free it; NULL is nothing. */
void reference_free(struct reference *reference);

/** Mean loss of some images; fills reference->out. */
double reference_loss(struct reference *reference, const double *images,
                      const unsigned char *labels, int count);

/** Loss, and the gradient by all parameters. */
double reference_back(struct reference *reference, const double *images,
                      const unsigned char *labels, int count);

/** Change the parameters as net->training says, by its rate.
 *  @param rate  of learning */
void reference_update(struct reference *reference, double rate);

#endif
