/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls of the libraries, one after another until one fails. */
#ifndef CUDNN_LAYER_STATUS_H
#define CUDNN_LAYER_STATUS_H

#include <cublas_v2.h>
#include <cudnn.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "cudnn_layer.h"

/** Print one line on stderr if a call of cuDNN failed.
 *  @return  its status */
static inline int check_cudnn(cudnnStatus_t status, const char *call, int line)
{
    if (status != CUDNN_STATUS_SUCCESS)
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cudnnGetErrorString(status));
    return (int)status;
}

/** The same for cuBLAS. */
static inline int check_cublas(cublasStatus_t status, const char *call,
                               int line)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cublasGetStatusString(status));
    return (int)status;
}

/** Make the call, unless `err` has the status of an earlier failure. */
#define TRY_CUDNN(call) \
    (void)(err || (err = check_cudnn((call), #call, __LINE__)))
/** The same for cuBLAS. */
#define TRY_CUBLAS(call) \
    (void)(err || (err = check_cublas((call), #call, __LINE__)))

/* the libraries load their scaling factors from host memory */
static const float one = 1, zero = 0;

#endif
