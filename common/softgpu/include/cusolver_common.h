/* SPDX-License-Identifier: MIT */
/** @file
 *  Types of cuSOLVER.
 */
#ifndef SOFTGPU_CUSOLVER_COMMON_H
#define SOFTGPU_CUSOLVER_COMMON_H
#define CUSOLVER_COMMON_H_ /* programs ask for it */

#include "library_types.h"

#define CUSOLVER_VER_MAJOR 11  /**< version of the interface */
#define CUSOLVER_VER_MINOR 7   /**< likewise */
#define CUSOLVER_VER_PATCH 0   /**< likewise */
#define CUSOLVER_VERSION 11700 /**< the three in one number */

/** Status of a call. */
typedef enum {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_NOT_INITIALIZED = 1,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_STATUS_INVALID_VALUE = 3,
    CUSOLVER_STATUS_ARCH_MISMATCH = 4,
    CUSOLVER_STATUS_MAPPING_ERROR = 5,
    CUSOLVER_STATUS_EXECUTION_FAILED = 6,
    CUSOLVER_STATUS_INTERNAL_ERROR = 7,
    CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSOLVER_STATUS_NOT_SUPPORTED = 9,
    CUSOLVER_STATUS_ZERO_PIVOT = 10,
    CUSOLVER_STATUS_INVALID_LICENSE = 11,
    CUSOLVER_STATUS_INVALID_WORKSPACE = 31
} cusolverStatus_t;

/** Are eigenvectors wanted? */
typedef enum {
    CUSOLVER_EIG_MODE_NOVECTOR = 0,
    CUSOLVER_EIG_MODE_VECTOR = 1
} cusolverEigMode_t;

#endif
