/* SPDX-License-Identifier: MIT */
/** @file
 *  Constants of cuRAND's device API.
 */
#ifndef SOFTGPU_CURAND_GLOBALS_H
#define SOFTGPU_CURAND_GLOBALS_H
#define CURAND_GLOBALS_H /* programs ask for it */

#define CURAND_2POW32 (4294967296.f)            /**< 2^32 */
#define CURAND_2POW32_DOUBLE (4294967296.)      /**< 2^32 */
#define CURAND_2POW32_INV (2.3283064e-10f)      /**< 2^-32 */
#define CURAND_2POW32_INV_DOUBLE (0x1p-32)      /**< 2^-32 */
#define CURAND_2POW53_INV_DOUBLE (0x1p-53)      /**< 2^-53 */
/** 2 pi / 2^32 */
#define CURAND_2POW32_INV_2PI (2.3283064e-10f * 6.2831855f)
/** 2 pi / 2^53 */
#define CURAND_2POW53_INV_2PI_DOUBLE (0x1p-53 * 6.2831853071795860)
#define CURAND_2PI (6.2831855f)                 /**< 2 pi */
#define CURAND_PI_DOUBLE (3.1415926535897932)   /**< pi */
#define CURAND_2PI_DOUBLE (6.2831853071795860)  /**< 2 pi */
#define CURAND_SQRT2 (-1.4142135f)              /**< negative, as cuRAND's */
/** Negative, as cuRAND's. */
#define CURAND_SQRT2_DOUBLE (-1.4142135623730951)

#endif
