/* SPDX-License-Identifier: MIT */
/** @file
 *  The four element types of cublas_routines.def.h, which names the macros.
 */
/* no include guard: it is included once for each type of sizes */

#define SOFTGPU_S S
#define SOFTGPU_NORM S
#define SOFTGPU_INDEX Is
#define SOFTGPU_BY_REAL
#define SOFTGPU_T float
#define SOFTGPU_R float
#define SOFTGPU_DATA CUDA_R_32F
#define SOFTGPU_IS_COMPLEX 0
#include "cublas_routines.def.h"
#undef SOFTGPU_S
#undef SOFTGPU_NORM
#undef SOFTGPU_INDEX
#undef SOFTGPU_BY_REAL
#undef SOFTGPU_T
#undef SOFTGPU_R
#undef SOFTGPU_DATA
#undef SOFTGPU_IS_COMPLEX

#define SOFTGPU_S D
#define SOFTGPU_NORM D
#define SOFTGPU_INDEX Id
#define SOFTGPU_BY_REAL
#define SOFTGPU_T double
#define SOFTGPU_R double
#define SOFTGPU_DATA CUDA_R_64F
#define SOFTGPU_IS_COMPLEX 0
#include "cublas_routines.def.h"
#undef SOFTGPU_S
#undef SOFTGPU_NORM
#undef SOFTGPU_INDEX
#undef SOFTGPU_BY_REAL
#undef SOFTGPU_T
#undef SOFTGPU_R
#undef SOFTGPU_DATA
#undef SOFTGPU_IS_COMPLEX

#define SOFTGPU_S C
#define SOFTGPU_NORM Sc
#define SOFTGPU_INDEX Ic
#define SOFTGPU_BY_REAL Cs
#define SOFTGPU_T cuComplex
#define SOFTGPU_R float
#define SOFTGPU_DATA CUDA_C_32F
#define SOFTGPU_IS_COMPLEX 1
#include "cublas_routines.def.h"
#undef SOFTGPU_S
#undef SOFTGPU_NORM
#undef SOFTGPU_INDEX
#undef SOFTGPU_BY_REAL
#undef SOFTGPU_T
#undef SOFTGPU_R
#undef SOFTGPU_DATA
#undef SOFTGPU_IS_COMPLEX

#define SOFTGPU_S Z
#define SOFTGPU_NORM Dz
#define SOFTGPU_INDEX Iz
#define SOFTGPU_BY_REAL Zd
#define SOFTGPU_T cuDoubleComplex
#define SOFTGPU_R double
#define SOFTGPU_DATA CUDA_C_64F
#define SOFTGPU_IS_COMPLEX 1
#include "cublas_routines.def.h"
#undef SOFTGPU_S
#undef SOFTGPU_NORM
#undef SOFTGPU_INDEX
#undef SOFTGPU_BY_REAL
#undef SOFTGPU_T
#undef SOFTGPU_R
#undef SOFTGPU_DATA
#undef SOFTGPU_IS_COMPLEX
