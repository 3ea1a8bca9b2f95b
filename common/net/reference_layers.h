/* SPDX-License-Identifier: MIT */
/** @file
 *  The layers of reference.h.  Host only. */
#ifndef REFERENCE_LAYERS_H
#define REFERENCE_LAYERS_H

#include "reference.h"

/** Forward pass of one layer: from `in` to reference->out[layer]. */
void reference_layer_forward(struct reference *reference, int layer,
                             const double *in, int count);

/** Backward pass of one layer: accumulates into reference->gradients and
 *  writes the gradient with respect to `in`. */
void reference_layer_backward(struct reference *reference, int layer,
                              const double *in, double *in_grad, int count);

#endif
