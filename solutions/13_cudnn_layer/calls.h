/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Calls of the libraries, one after the other until one fails.
 */
#ifndef CUDNN_LAYER_CALLS_H
#define CUDNN_LAYER_CALLS_H

// END SOLUTION
#include <cublas_v2.h>
#include <cudnn.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "cudnn_layer.h"

/** One line on stderr when a call of cuDNN failed.  @return its status */
static inline int check_dnn(cudnnStatus_t status, const char *call, int line)
{
    if (status != CUDNN_STATUS_SUCCESS)
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cudnnGetErrorString(status));
    return (int)status;
}

/** The same for cuBLAS. */
static inline int check_blas(cublasStatus_t status, const char *call, int line)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cublasGetStatusString(status));
    return (int)status;
}

/** Unless `err` tells of an earlier failure, do the call. */
#define DNN(call) \
    (void)(err || (err = check_dnn((call), #call, __LINE__)))
/** Likewise. */
#define BLAS(call) \
    (void)(err || (err = check_blas((call), #call, __LINE__)))

/* The libraries read their factors from the host. */
static const float one = 1, zero = 0;

// BEGIN SOLUTION
#endif
// END SOLUTION
