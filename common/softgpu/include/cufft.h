/* SPDX-License-Identifier: MIT */
/** @file
 *  cuFFT: transforms of one to three dimensions in single and double
 *  precision.
 *
 *  A transform is not normalized: forward, then inverse, multiplies each
 *  element by the number of elements.  FFTW does the arithmetic, so the last
 *  bits can differ from a card's.  A plan needs no work area: sizes are 0.
 *  Every call returns a cufftResult; it is CUFFT_INVALID_PLAN if the handle is
 *  none, and an argument that is out of range is CUFFT_INVALID_SIZE,
 *  CUFFT_INVALID_TYPE or CUFFT_INVALID_VALUE.
 */
#ifndef SOFTGPU_CUFFT_H
#define SOFTGPU_CUFFT_H
#define _CUFFT_H_ /* programs ask for it */

#include "softgpu/push_macros.h"
#include <stddef.h>

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUFFT_VER_MAJOR 12   /**< version of the interface */
#define CUFFT_VER_MINOR 0    /**< likewise */
#define CUFFT_VER_PATCH 0    /**< likewise */
#define CUFFT_VER_BUILD 0    /**< likewise */
#define CUFFT_VERSION 12000  /**< the three in one number */
#define CUFFTAPI             /**< nothing here */
#define CUFFT_FORWARD (-1)   /**< sign of the exponent */
#define CUFFT_INVERSE 1      /**< likewise; not normalized */
#define CUFFT_PLAN_NULL (-1) /**< no plan */

/** Result of a call. */
typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_NOT_SUPPORTED = 16,
    CUFFT_MISSING_DEPENDENCY = 17,
    CUFFT_NVRTC_FAILURE = 18,
    CUFFT_NVJITLINK_FAILURE = 19,
    CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;

/** Types of the input and the output; Z and D are double precision. */
typedef enum cufftType_t {
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c
} cufftType;

/** Layout of real data in place: padded, as FFTW's. */
typedef enum cufftCompatibility_t {
    CUFFT_COMPATIBILITY_FFTW_PADDING = 1
} cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING

typedef float cufftReal;                    /**< float */
typedef double cufftDoubleReal;             /**< double */
typedef cuComplex cufftComplex;             /**< two floats */
typedef cuDoubleComplex cufftDoubleComplex; /**< two doubles */
typedef int cufftHandle;                    /**< a plan */

/* --- plans ---------------------------------------------------------------- */

/** Make a plan of `batch` transforms of nx elements. */
cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch);
/** Make a plan of a transform of nx rows of ny elements. */
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type);
/** Make a plan of nx planes of ny rows of nz elements. */
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz,
                        cufftType type);
/** Make a plan of `batch` transforms with strides.
 *
 *  Element (x, y, z) of transform b of the input is
 *  `in[b * idist + ((x * inembed[1] + y) * inembed[2] + z) * istride]`, of the
 *  output likewise.
 *
 *  @param rank     dimensions: 1 to 3
 *  @param n        host, elements of each; the last varies fastest
 *  @param inembed  host, or NULL: contiguous, and istride and idist are unused
 *  @param onembed  the same for the output */
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed,
                          int istride, int idist, int *onembed, int ostride,
                          int odist, cufftType type, int batch);
/** Create a handle for one of cufftMakePlan...(). */
cufftResult cufftCreate(cufftHandle *plan);
/** cufftPlan1d() for a handle of cufftCreate(). */
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type,
                            int batch, size_t *work_size);
/** cufftPlan2d(), likewise. */
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type,
                            size_t *work_size);
/** cufftPlan3d(), likewise. */
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz,
                            cufftType type, size_t *work_size);
/** cufftPlanMany(), likewise. */
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed,
                              int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type,
                              int batch, size_t *work_size);
/** The same with 64-bit numbers, each of which must fit in an int. */
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n,
                                long long *inembed, long long istride,
                                long long idist, long long *onembed,
                                long long ostride, long long odist,
                                cufftType type, long long batch,
                                size_t *work_size);
/** Destroy a plan when the device has finished its work. */
cufftResult cufftDestroy(cufftHandle plan);
/** Set the stream of a plan. */
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);

/* --- sizes and settings --------------------------------------------------- */

/** Bytes of the work area of a 1-D plan: 0. */
cufftResult cufftEstimate1d(int nx, cufftType type, int batch,
                            size_t *work_size);
/** Of a 2-D plan. */
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *work_size);
/** Of a 3-D plan. */
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type,
                            size_t *work_size);
/** Of a plan with strides. */
cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist,
                              cufftType type, int batch, size_t *work_size);
/** The same for a handle. */
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch,
                           size_t *work_size);
/** Of two dimensions. */
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type,
                           size_t *work_size);
/** Of three dimensions. */
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz,
                           cufftType type, size_t *work_size);
/** With strides. */
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int *n, int *inembed,
                             int istride, int idist, int *onembed, int ostride,
                             int odist, cufftType type, int batch,
                             size_t *work_size);
/** Bytes of the work area of a plan that was made: 0. */
cufftResult cufftGetSize(cufftHandle plan, size_t *work_size);
/** Set the work area; no effect. */
cufftResult cufftSetWorkArea(cufftHandle plan, void *work_area);
/** Allocate the work area with the plan; no effect. */
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocate);
/** Version of the interface: CUFFT_VERSION. */
cufftResult cufftGetVersion(int *version);
/** One part of the version. */
cufftResult cufftGetProperty(libraryPropertyType type, int *value);

/* --- transforms: in stream order; idata and odata are in device memory ---- */

/** Complex to complex; in place if idata is odata.
 *  @param direction  CUFFT_FORWARD or CUFFT_INVERSE */
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata,
                         cufftComplex *odata, int direction);
/** Real to complex, forward: of the last dimension n / 2 + 1 elements are
 *  written.  In place, rows of real numbers are padded to as much memory. */
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata,
                         cufftComplex *odata);
/** Complex to real, inverse.  Of two or three dimensions, the input is
 *  overwritten. */
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata,
                         cufftReal *odata);
/** cufftExecC2C() in double precision. */
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata,
                         cufftDoubleComplex *odata, int direction);
/** cufftExecR2C(), likewise. */
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata,
                         cufftDoubleComplex *odata);
/** cufftExecC2R(), likewise. */
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata,
                         cufftDoubleReal *odata);

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
