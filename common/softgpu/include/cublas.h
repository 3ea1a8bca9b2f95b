/* SPDX-License-Identifier: MIT */
/** @file
 *  The legacy interface of cuBLAS: no handle, factors by value, operations as
 *  letters as in Fortran, results returned.  A call does what the call of
 *  cublas_v2.h with this name does, on the stream of cublasSetKernelStream().
 */
#ifndef SOFTGPU_CUBLAS_H
#define SOFTGPU_CUBLAS_H
#define CUBLAS_H_ /* programs ask for it */

#ifdef CUBLAS_V2_H_
#error "It is an error to include both cublas.h and cublas_v2.h"
#endif

#include "cuda_runtime.h"

#include "cublas_api.h"
#include "softgpu/push_macros.h"

#if defined(__cplusplus) && defined(SOFTGPU_INSTRUMENTED)
namespace softgpu {

/** A complex number as the library passes it by value: the vector types of
 *  instrumented builds are no plain structs, which go by reference. */
template <typename C, typename R> struct alignas(C) plain_complex {
    R x, y;
    plain_complex(const C &c) : x(c.x), y(c.y) {}
    operator C() const { return { x, y }; }
};
/** The type by which a T is passed. */
template <typename T> struct by_value {
    typedef T type;
};
template <> struct by_value<cuComplex> {
    typedef plain_complex<cuComplex, float> type;
};
template <> struct by_value<cuDoubleComplex> {
    typedef plain_complex<cuDoubleComplex, double> type;
};

} // namespace softgpu
#define SOFTGPU_LEGACY_VALUE(T) softgpu::by_value<T>::type
#else
#define SOFTGPU_LEGACY_VALUE(T) T /**< plain */
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define cublasStatus cublasStatus_t /**< the older name */

/** Make the handle of all later calls. */
cublasStatus_t cublasInit(void);
/** Destroy it. */
cublasStatus_t cublasShutdown(void);
/** The last error of a call since this was asked last. */
cublasStatus_t cublasGetError(void);
/** CUBLAS_VERSION. */
cublasStatus_t cublasGetVersion(int *version);
/** Allocate n elements in device memory. */
cublasStatus_t cublasAlloc(int n, int elemSize, void **devicePtr);
/** Free them. */
cublasStatus_t cublasFree(void *devicePtr);
/** Set the stream of later calls. */
cublasStatus_t cublasSetKernelStream(cudaStream_t stream);

#include "softgpu/cublas_legacy.h"

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
