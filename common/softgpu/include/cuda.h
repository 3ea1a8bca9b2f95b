/* SPDX-License-Identifier: MIT */
/** @file
 *  The driver API, for programs that include cuda.h with the runtime API:
 *  types, the version, and the queries of devices that samples use.  Contexts,
 *  modules and launches are not supported; softcc rejects programs that call
 *  them.
 */
#ifndef SOFTGPU_CUDA_H
#define SOFTGPU_CUDA_H

#include "softgpu/push_macros.h"
#define __cuda_cuda_h__ /* programs ask for it */

#include <string.h>

#include "cuda_runtime_api.h"

/** Version of the API that the headers implement. */
#define CUDA_VERSION 12080

/** An address in device memory. */
typedef unsigned long long CUdeviceptr;
/** The number of a device. */
typedef int CUdevice;
/** A context; there is one for each device. */
typedef struct CUctx_st *CUcontext;
/** A loaded module. */
typedef struct CUmod_st *CUmodule;
/** A kernel of a module. */
typedef struct CUfunc_st *CUfunction;
/** A stream of the runtime. */
typedef cudaStream_t CUstream;
/** An event of the runtime. */
typedef cudaEvent_t CUevent;

/** Error codes, with the numbers of the runtime. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

/** Initialize the driver API; no effect. */
static inline CUresult cuInit(unsigned flags)
{
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/** As cudaDriverGetVersion(). */
static inline CUresult cuDriverGetVersion(int *version)
{
    return (CUresult)cudaDriverGetVersion(version);
}

/** As cudaGetDeviceCount(). */
static inline CUresult cuDeviceGetCount(int *count)
{
    return (CUresult)cudaGetDeviceCount(count);
}

/** Device number `ordinal`. */
static inline CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    int count = 0;
    CUresult status = cuDeviceGetCount(&count);

    if (status == CUDA_SUCCESS && (ordinal < 0 || ordinal >= count))
        status = CUDA_ERROR_INVALID_DEVICE;
    if (status == CUDA_SUCCESS)
        *device = ordinal;
    return status;
}

/** Name of a device, truncated to `room` bytes with the NUL. */
static inline CUresult cuDeviceGetName(char *name, int room, CUdevice device)
{
    struct cudaDeviceProp properties;
    CUresult status = (CUresult)cudaGetDeviceProperties(&properties, device);

    if (status == CUDA_SUCCESS && room > 0) {
        strncpy(name, properties.name, (size_t)room - 1);
        name[room - 1] = 0;
    }
    return status;
}

/** Bytes of memory of a device. */
static inline CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp properties;
    CUresult status = (CUresult)cudaGetDeviceProperties(&properties, device);

    if (status == CUDA_SUCCESS)
        *bytes = properties.totalGlobalMem;
    return status;
}

/** The text of an error. */
static inline CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}

/** The name of an error. */
static inline CUresult cuGetErrorName(CUresult error, const char **name)
{
    switch (error) {
#define SOFTGPU_NAME(code) \
    case code:             \
        *name = #code;     \
        return CUDA_SUCCESS;
        SOFTGPU_NAME(CUDA_SUCCESS)
        SOFTGPU_NAME(CUDA_ERROR_INVALID_VALUE)
        SOFTGPU_NAME(CUDA_ERROR_OUT_OF_MEMORY)
        SOFTGPU_NAME(CUDA_ERROR_NOT_INITIALIZED)
        SOFTGPU_NAME(CUDA_ERROR_NO_DEVICE)
        SOFTGPU_NAME(CUDA_ERROR_INVALID_DEVICE)
        SOFTGPU_NAME(CUDA_ERROR_ILLEGAL_ADDRESS)
        SOFTGPU_NAME(CUDA_ERROR_LAUNCH_FAILED)
        SOFTGPU_NAME(CUDA_ERROR_UNKNOWN)
#undef SOFTGPU_NAME
    default:
        *name = NULL;
        return CUDA_ERROR_INVALID_VALUE;
    }
}

#include "softgpu/pop_macros.h"

#endif
