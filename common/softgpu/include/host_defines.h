/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's specifiers for the host compiler, in .c and .cpp files.  In a .cu
 *  file softcc rewrites them.
 */
#ifndef SOFTGPU_HOST_DEFINES_H
#define SOFTGPU_HOST_DEFINES_H

#define __HOST_DEFINES_H__ /* programs ask for it */

/** Calling convention of host functions of streams: the default. */
#ifndef CUDART_CB
#define CUDART_CB
#endif

#ifndef __SOFTCC__
/** @name Specifiers of functions and variables: empty
 *  @{ */
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
/** @} */

/** @name Attributes of the host compiler
 *  @{ */
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __no_return__ __attribute__((noreturn))
#define __thread__ __thread
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
/** @} */
#define __specialization_static static /**< of a template's specialization */
#endif

#endif
