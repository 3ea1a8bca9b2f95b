/* SPDX-License-Identifier: MIT */
/* Handles and their settings. */
#include <stdlib.h>

#include "blas.h"
#include "openblas.h"

#define HANDLE_MAGIC 0xcb1a5u

/* Documented defaults: host pointer mode, no atomics, default math mode. */
static struct cublasContext *new_handle(void)
{
    struct cublasContext *h = calloc(1, sizeof *h);

    if (!h)
        return NULL;
    h->magic = HANDLE_MAGIC;
    h->emulation.special = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
    return h;
}

bool blas_is_handle(cublasHandle_t handle)
{
    return handle && handle->magic == HANDLE_MAGIC;
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    BLAS_REQUIRE_VALUE(handle);
    *handle = NULL;
    BLAS_REQUIRE(openblas_load() && cudaFree(NULL) == cudaSuccess,
                 CUBLAS_STATUS_NOT_INITIALIZED);
    *handle = new_handle();
    return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    BLAS_REQUIRE_HANDLE(handle);
    cudaDeviceSynchronize();
    handle->magic = 0;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    BLAS_REQUIRE_HANDLE(handle);
    BLAS_REQUIRE_VALUE(version);
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    static const int version[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR,
                                  CUBLAS_VER_PATCH};

    BLAS_REQUIRE_VALUE(value && (unsigned)type <= PATCH_LEVEL);
    *value = version[type];
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void)
{
    int version = 0;

    cudaRuntimeGetVersion(&version);
    return (size_t)version;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                     size_t bytes)
{
    BLAS_REQUIRE_HANDLE(handle);
    BLAS_REQUIRE_VALUE((workspace || !bytes) && (size_t)workspace % 256 == 0);
    BLAS_REQUIRE_WORKSPACE(workspace, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    BLAS_REQUIRE_HANDLE(handle);
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

/* A value of the enumeration. */
static bool is_pointer_mode(cublasPointerMode_t mode)
{
    return mode == CUBLAS_POINTER_MODE_HOST
           || mode == CUBLAS_POINTER_MODE_DEVICE;
}

/* A value of the enumeration. */
static bool is_atomics_mode(cublasAtomicsMode_t mode)
{
    return mode == CUBLAS_ATOMICS_NOT_ALLOWED
           || mode == CUBLAS_ATOMICS_ALLOWED;
}

/* A math mode, with or without the flag for reductions. */
static bool is_math_mode(cublasMath_t mode)
{
    const unsigned base =
        mode & ~(unsigned)CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;

    return base <= CUBLAS_FP32_EMULATED_BF16X9_MATH
           || base == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
}

/* Not negative; 0 means all. */
static bool is_sm_count(int sms)
{
    return sms >= 0;
}

/* A value of the enumeration. */
static bool is_strategy(cublasEmulationStrategy_t strategy)
{
    return (unsigned)strategy <= CUBLAS_EMULATION_STRATEGY_EAGER;
}

/* The default, or the flags. */
static bool is_special(cudaEmulationSpecialValuesSupport mask)
{
    return mask == CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT
           || (unsigned)mask <= 3;
}

/* A value of the enumeration. */
static bool is_control(cudaEmulationMantissaControl control)
{
    return (unsigned)control <= CUDA_EMULATION_MANTISSA_CONTROL_FIXED;
}

/* Any number or pointer. */
#define IS_ANY(value) true

/* Define cublasSet... and cublasGet... of a setting. */
#define SETTING(setter, getter, type, member, legal)         \
    cublasStatus_t setter(cublasHandle_t handle, type value) \
    {                                                        \
        BLAS_REQUIRE_HANDLE(handle);                         \
        BLAS_REQUIRE_VALUE(legal(value));                    \
        handle->member = value;                              \
        return CUBLAS_STATUS_SUCCESS;                        \
    }                                                        \
    GETTER(getter, type, member)
#define GETTER(getter, type, member)                          \
    cublasStatus_t getter(cublasHandle_t handle, type *value) \
    {                                                         \
        BLAS_REQUIRE_HANDLE(handle);                          \
        BLAS_REQUIRE_VALUE(value);                            \
        *value = handle->member;                              \
        return CUBLAS_STATUS_SUCCESS;                         \
    }
GETTER(cublasGetStream_v2, cudaStream_t, stream)
SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t,
        pointer_mode, is_pointer_mode)
SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t,
        atomics, is_atomics_mode)
SETTING(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math,
        is_math_mode)
SETTING(cublasSetSmCountTarget, cublasGetSmCountTarget, int, sms, is_sm_count)
SETTING(cublasSetEmulationStrategy, cublasGetEmulationStrategy,
        cublasEmulationStrategy_t, emulation.strategy, is_strategy)
SETTING(cublasSetEmulationSpecialValuesSupport,
        cublasGetEmulationSpecialValuesSupport,
        cudaEmulationSpecialValuesSupport, emulation.special, is_special)
SETTING(cublasSetFixedPointEmulationMantissaControl,
        cublasGetFixedPointEmulationMantissaControl,
        cudaEmulationMantissaControl, emulation.control, is_control)
SETTING(cublasSetFixedPointEmulationMaxMantissaBitCount,
        cublasGetFixedPointEmulationMaxMantissaBitCount, int,
        emulation.most_bits, is_sm_count)
SETTING(cublasSetFixedPointEmulationMantissaBitOffset,
        cublasGetFixedPointEmulationMantissaBitOffset, int,
        emulation.bit_offset, IS_ANY)
SETTING(cublasSetFixedPointEmulationMantissaBitCountPointer,
        cublasGetFixedPointEmulationMantissaBitCountPointer, int *,
        emulation.bit_count, IS_ANY)
