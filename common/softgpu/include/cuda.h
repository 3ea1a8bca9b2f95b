/* SPDX-License-Identifier: MIT */
/** @file
 *  The driver API, for C and C++: initialization, devices, contexts, modules,
 *  launches, memory, streams and events.
 *
 *  CUresult has the numbers of the runtime's errors.  Graphs, virtual memory,
 *  external memory, texture references and linking at run time are not
 *  supported; softcc refuses them by name.
 */
#ifndef SOFTGPU_CUDA_H
#define SOFTGPU_CUDA_H

#include "softgpu/push_macros.h"
#define __cuda_cuda_h__ /* programs ask for it */
#define cuda_h_cuda     /* and for this */

#include "cuda_runtime_api.h"

/** Version of the API that the headers implement. */
#define CUDA_VERSION 12080

#include "softgpu/driver/types.h"

#include "softgpu/driver/context.h"
#include "softgpu/driver/memory.h"
#include "softgpu/driver/module.h"
#include "softgpu/driver/stream.h"

#include "softgpu/pop_macros.h"

#endif
