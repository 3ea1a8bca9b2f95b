/* SPDX-License-Identifier: MIT */
/** @file
 *  The layers behind reference.h.  Host only. */
#ifndef REFERENCE_LAYERS_H
#define REFERENCE_LAYERS_H

#include "reference.h"

/** One layer forward: from `in` to reference->out[layer]. */
void reference_forward(struct reference *reference, int layer,
                       const double *in, int count);

/** One layer backward: adds to reference->gradients, and writes the gradient
 *  by `in`. */
void reference_layer_back(struct reference *reference, int layer,
                          const double *in, double *by_in, int count);

#endif
