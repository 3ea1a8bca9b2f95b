/* SPDX-License-Identifier: MIT */
/** @file
 *  All of CUDA's runtime for a program: types, calls, and in C++ the device
 *  side and the overloads.  softcc includes it before any .cu file.
 */
#ifndef SOFTGPU_CUDA_RUNTIME_H
#define SOFTGPU_CUDA_RUNTIME_H

#include "softgpu/names_hide.h"
#define __CUDA_RUNTIME_H__ /* programs ask for it */

#ifndef __SOFTCC__
/* A plain .c or .cpp file: CUDA's words say nothing here.  softcc takes them
 * out of the program's tokens itself. */
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#define __cudart_builtin__
#define __device_builtin__

/* Programs count on nvcc to bring these. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "softgpu/abi.h"

#ifdef __cplusplus
#include "softgpu/runtime_overloads.h"
#include "softgpu/runtime_templates.h"
#include "softgpu/runtime_graph.h"
#include "softgpu/launch.h"
#include "softgpu/shared.h"
#include "softgpu/lockstep.h"
#include "softgpu/warp.h"
#include "softgpu/atomic.h"
#include "softgpu/math.h"
#endif

#include "softgpu/names_show.h"

#endif
