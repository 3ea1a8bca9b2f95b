/* SPDX-License-Identifier: MIT */
/** @file
 *  The second half of reading a network: shapes and parameters of its layers.
 */
#ifndef NET_NETWORK_SHAPES_H
#define NET_NETWORK_SHAPES_H

#include "network.h"

/** Infer each layer's input and output shape and its numbers of parameters.
 *
 *  Parameters of all layers lie in one array, in the order of the layers,
 *  weights before biases.
 *
 *  @param[in,out] net      its layers are read; net->in and net->classes are
 *  set
 *  @param         path     the file that messages name
 *  @param[out]    failure  layers that do not fit each other: "PATH:LINE: why"
 *  @return false if a layer does not fit, or the last one has not one output a
 *      class
 */
bool network_infer_shapes(struct network *net, const char *path,
                          struct failure *failure);
/** Tell what is wrong with a line of the file.
 *  @param[out] failure  "PATH:LINE: " and the formatted text
 *  @return false */
__attribute__((format(printf, 4, 5)))
bool network_fail_at(const char *path, int line, struct failure *failure,
                     const char *format, ...);

#endif
