/* SPDX-License-Identifier: MIT */
/* Handles, versions, status names, and submission of calls. */
#include "dnn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/hooks.h"

static _Thread_local char last_error[200];
static _Thread_local const char *entered; /* the outermost of dnn_enter() */
static _Thread_local unsigned depth;      /* of dnn_enter() */

void dnn_enter(const char *call)
{
    if (!depth++)
        entered = call;
}

cudnnStatus_t dnn_leave(cudnnStatus_t status)
{
    if (!--depth)
        entered = NULL;
    return status;
}

/* Is it a question, whose answer the program waits for? */
static bool is_query(const char *call)
{
    return strncmp(call, "cudnnGet", 8) == 0;
}

/* With SOFTGPU_EXPLAIN a wrong argument is told at once. */
cudnnStatus_t dnn_fail(cudnnStatus_t status, const char *call, const char *why)
{
    if (entered)
        call = entered;
    snprintf(last_error, sizeof last_error, "%s: %s", call, why);
    if (status == CUDNN_STATUS_NOT_SUPPORTED && !is_query(call))
        softgpu_library_refuse_call(call, why);
    if (status == CUDNN_STATUS_BAD_PARAM && getenv("SOFTGPU_EXPLAIN"))
        fprintf(stderr, "softgpu: %s\n", last_error);
    return status;
}

void cudnnGetLastErrorString(char *message, size_t max_size)
{
    if (message && max_size)
        snprintf(message, max_size, "%s", last_error);
}

const char *cudnnGetErrorString(cudnnStatus_t status)
{
    switch (status) {
#define NAME(name)            \
    case CUDNN_STATUS_##name: \
        return "CUDNN_STATUS_" #name;
        NAME(SUCCESS)
        NAME(NOT_INITIALIZED)
        NAME(DEPRECATED)
        NAME(LICENSE_ERROR)
        NAME(RUNTIME_IN_PROGRESS)
        NAME(RUNTIME_FP_OVERFLOW)
        NAME(SUBLIBRARY_VERSION_MISMATCH)
        NAME(SUBLIBRARY_LOADING_FAILED)
        NAME(SERIALIZATION_VERSION_MISMATCH)
        NAME(BAD_PARAM)
        NAME(INVALID_VALUE)
        NAME(BAD_PARAM_NULL_POINTER)
        NAME(BAD_PARAM_SIZE_INSUFFICIENT)
        NAME(BAD_PARAM_SHAPE_MISMATCH)
        NAME(NOT_SUPPORTED)
        NAME(NOT_SUPPORTED_SHAPE)
        NAME(NOT_SUPPORTED_DATA_TYPE)
        NAME(NOT_SUPPORTED_LAYOUT)
        NAME(NOT_SUPPORTED_ARCH_MISMATCH)
        NAME(INTERNAL_ERROR)
        NAME(INTERNAL_ERROR_HOST_ALLOCATION_FAILED)
        NAME(INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED)
        NAME(EXECUTION_FAILED)
        NAME(EXECUTION_FAILED_CUDART)
#undef NAME
    default:
        return "CUDNN_UNKNOWN_STATUS";
    }
}

size_t cudnnGetVersion(void)
{
    return CUDNN_VERSION;
}

size_t cudnnGetMaxDeviceVersion(void)
{
    return 900;
}

size_t cudnnGetCudartVersion(void)
{
    return CUDART_VERSION;
}

cudnnStatus_t cudnnOpsVersionCheck(void)
{
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCnnVersionCheck(void)
{
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL};

    DNN_REQUIRE_PARAM(value && (unsigned)type <= PATCH_LEVEL);
    *value = parts[type];
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnQueryRuntimeError(cudnnHandle_t handle,
                                     cudnnStatus_t *rstatus,
                                     cudnnErrQueryMode_t mode,
                                     cudnnRuntimeTag_t *tag)
{
    (void)tag;
    DNN_REQUIRE_PARAM(handle && rstatus
                      && (unsigned)mode <= CUDNN_ERRQUERY_BLOCKING);
    *rstatus = CUDNN_STATUS_SUCCESS;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle)
{
    DNN_REQUIRE_PARAM(handle);
    *handle = NULL;
    DNN_REQUIRE(cudaFree(NULL) == cudaSuccess, CUDNN_STATUS_NOT_INITIALIZED,
                "the device has failed");
    *handle = calloc(1, sizeof **handle);
    DNN_REQUIRE(*handle, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle)
{
    free(handle);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
    DNN_REQUIRE_PARAM(handle);
    handle->stream = stream;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t *stream)
{
    DNN_REQUIRE_PARAM(handle && stream);
    *stream = handle->stream;
    return CUDNN_STATUS_SUCCESS;
}

/* --- submission ---------------------------------------------------------- */

unsigned dnn_parts(size_t n, double elements)
{
    /* elements that are worth a thread */
    const double max_parts = (double)n * elements / 16384;

    if (max_parts >= 16)
        return n < 16 ? (unsigned)n : 16;
    return max_parts < 2   ? 1
           : n < max_parts ? (unsigned)n
                           : (unsigned)max_parts;
}

cudnnStatus_t dnn_submit(cudnnHandle_t handle, const void *self, size_t bytes)
{
    const struct softgpu_library_call *call = self;
    cudaError_t error;

    softgpu_call_site = call->site;
    error = softgpu_library_submit(handle->stream, self, bytes);
    if (!error)
        return CUDNN_STATUS_SUCCESS;
    return dnn_fail(error == cudaErrorMemoryAllocation
                        ? CUDNN_STATUS_ALLOC_FAILED
                        : CUDNN_STATUS_EXECUTION_FAILED,
                    call->name, cudaGetErrorString(error));
}
