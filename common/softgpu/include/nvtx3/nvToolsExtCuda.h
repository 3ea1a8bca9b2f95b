/* SPDX-License-Identifier: MIT */
/** @file
 *  NVTX: names of objects of the driver; no effect, see nvToolsExt.h.
 */
#ifndef SOFTGPU_NVTOOLSEXTCUDA_H
#define SOFTGPU_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

/** @cond */
#define nvtxNameCuDeviceA(device, name) ((void)(device), (void)(name))
#define nvtxNameCuContextA(context, name) ((void)(context), (void)(name))
#define nvtxNameCuStreamA(stream, name) ((void)(stream), (void)(name))
#define nvtxNameCuEventA(event, name) ((void)(event), (void)(name))
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
/** @endcond */

#endif
