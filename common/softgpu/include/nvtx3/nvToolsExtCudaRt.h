/* SPDX-License-Identifier: MIT */
/** @file
 *  NVTX: names of objects of the runtime; no effect, see nvToolsExt.h.
 */
#ifndef SOFTGPU_NVTOOLSEXTCUDART_H
#define SOFTGPU_NVTOOLSEXTCUDART_H

#include "cuda_runtime_api.h"
#include "nvtx3/nvToolsExt.h"

/** @cond */
#define nvtxNameCudaDeviceA(device, name) ((void)(device), (void)(name))
#define nvtxNameCudaStreamA(stream, name) ((void)(stream), (void)(name))
#define nvtxNameCudaEventA(event, name) ((void)(event), (void)(name))
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
/** @endcond */

#endif
