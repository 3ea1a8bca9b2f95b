/* SPDX-License-Identifier: MIT */
/** @file
 *  Settings of emulated precision; part of cublas_api.h.  All are stored, no
 *  effect: products are computed in float and double here.
 */
#ifndef SOFTGPU_CUBLAS_EMULATION_H
#define SOFTGPU_CUBLAS_EMULATION_H

/** When to emulate. */
typedef enum {
    CUBLAS_EMULATION_STRATEGY_DEFAULT = 0,
    CUBLAS_EMULATION_STRATEGY_PERFORMANT = 1,
    CUBLAS_EMULATION_STRATEGY_EAGER = 2
} cublasEmulationStrategy_t;

/** Stored, no effect. */
cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t strategy);
/** Get it. */
cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t *strategy);
/** Stored, no effect. */
cublasStatus_t cublasSetEmulationSpecialValuesSupport(
    cublasHandle_t handle, cudaEmulationSpecialValuesSupport mask);
/** Get it. */
cublasStatus_t cublasGetEmulationSpecialValuesSupport(
    cublasHandle_t handle, cudaEmulationSpecialValuesSupport *mask);
/** Stored, no effect. */
cublasStatus_t cublasSetFixedPointEmulationMantissaControl(
    cublasHandle_t handle, cudaEmulationMantissaControl control);
/** Get it. */
cublasStatus_t cublasGetFixedPointEmulationMantissaControl(
    cublasHandle_t handle, cudaEmulationMantissaControl *control);
/** Stored, no effect. */
cublasStatus_t cublasSetFixedPointEmulationMaxMantissaBitCount(
    cublasHandle_t handle, int bits);
/** Get it. */
cublasStatus_t cublasGetFixedPointEmulationMaxMantissaBitCount(
    cublasHandle_t handle, int *bits);
/** Stored, no effect. */
cublasStatus_t cublasSetFixedPointEmulationMantissaBitOffset(
    cublasHandle_t handle, int offset);
/** Get it. */
cublasStatus_t cublasGetFixedPointEmulationMantissaBitOffset(
    cublasHandle_t handle, int *offset);
/** Stored, no effect: nothing is written to it. */
cublasStatus_t cublasSetFixedPointEmulationMantissaBitCountPointer(
    cublasHandle_t handle, int *count);
/** Get it. */
cublasStatus_t cublasGetFixedPointEmulationMantissaBitCountPointer(
    cublasHandle_t handle, int **count);

#endif
