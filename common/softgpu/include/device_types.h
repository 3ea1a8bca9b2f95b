/* SPDX-License-Identifier: MIT */
/** @file
 *  Types of device code that have no other header.
 */
#ifndef SOFTGPU_CUDA_DEVICE_TYPES_H
#define SOFTGPU_CUDA_DEVICE_TYPES_H

/** Rounding of a conversion. */
enum cudaRoundMode {
    cudaRoundNearest, /**< to nearest, ties to even */
    cudaRoundZero,    /**< toward zero */
    cudaRoundPosInf,  /**< up */
    cudaRoundMinInf   /**< down */
};

#endif
