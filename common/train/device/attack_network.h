/* SPDX-License-Identifier: MIT */
/** @file
 *  The network whose gradient with respect to the image is wanted. */
#ifndef ATTACK_NETWORK_H
#define ATTACK_NETWORK_H

#include "model.h"

/** Change a network so that a training step computes the gradient of the loss
 *  with respect to the image, of the network as it predicts: nothing is
 *  dropped, batch normalization uses its running statistics.  Layer 0 copies
 *  the image: the gradient of its output is that of the image.
 *
 *  @param[in,out] model  read by model_read(); network and state are replaced
 *  @return false with a message: 64 layers already, or no memory */
bool attack_network_make(struct model *model, struct failure *failure);

#endif
