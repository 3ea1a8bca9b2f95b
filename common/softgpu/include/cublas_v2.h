/* SPDX-License-Identifier: MIT */
/** @file
 *  cuBLAS without version suffixes: cublasSgemm is cublasSgemm_v2.
 */
#ifndef SOFTGPU_CUBLAS_V2_H
#define SOFTGPU_CUBLAS_V2_H
#define CUBLAS_V2_H_ /* programs ask for it */

#include "cublas_api.h"

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2

#include "softgpu/cublas_names.h"

#endif
