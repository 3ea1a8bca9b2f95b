/* SPDX-License-Identifier: MIT */
/** @file
 *  cuDNN on the software GPU, for C and C++: `softcc net.cu -lcudnn`.
 *
 *  The calls do what NVIDIA's documents say; convolutions are computed by
 *  oneDNN, those of double and all the rest by plain C.  All of them are queued
 *  on the handle's stream as a kernel is, and may be captured into a graph;
 *  pointers to tensors are the device's, alpha and beta the host's.  They are
 *  read when the call is made: float, or double for tensors of double.
 *
 *  Tensors of float, double, half and bfloat16, of 3 to 8 dimensions, any
 *  strides (broadcast and overlapping outputs aside); convolutions with 4 or
 *  5.  Half and bfloat16 are only how elements are kept: arithmetic is in float
 *  or better.  Same input, same bits, however many OS threads there are.
 *
 *  What is missing says CUDNN_STATUS_NOT_SUPPORTED, or is not declared:
 *  recurrent networks, attention, CTC, spatial transformers, divisive
 *  normalisation, the graph API (cudnn_frontend), integer types.
 *  A handle belongs to one host thread at a time; descriptors are read when a
 *  call is made, and may be changed or destroyed right after.
 */
#ifndef CUDNN_H_
#define CUDNN_H_

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "cudnn_version.h"

#include "cudnn_graph.h"
#include "cudnn_ops.h"
#include "cudnn_cnn.h"

#endif
