/* SPDX-License-Identifier: MIT */
/** @file
 *  cuDNN on the software GPU, for C and C++: `softcc net.cu -lcudnn`.
 *
 *  The semantics are those of NVIDIA's documentation.  oneDNN computes
 *  convolutions except for those of double; C code computes the rest.  Calls
 *  are enqueued on the handle's stream like kernels, and can be captured into a
 *  graph.  Pointers to tensors are device pointers; alpha and beta are host
 *  pointers, which are read by the call: float, or double for tensors of
 *  double.
 *
 *  Tensors are of float, double, half or bfloat16, with 3 to 8 dimensions and
 *  any strides (outputs must not be broadcast or overlap); those of
 *  convolutions have 4 or 5.  Half and bfloat16 are storage types: arithmetic
 *  is in float or better.  Results are bitwise reproducible, for any number of
 *  OS threads.
 *
 *  Not supported, with CUDNN_STATUS_NOT_SUPPORTED or not declared: recurrent
 *  networks, attention, CTC, spatial transformers, divisive normalization, the
 *  graph API (cudnn_frontend), integer types.
 *  A handle is used by one host thread at a time; descriptors are read by the
 *  call, and can be changed or destroyed after it.
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
