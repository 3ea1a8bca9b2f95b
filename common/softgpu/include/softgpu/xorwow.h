/* SPDX-License-Identifier: MIT */
/** @file
 *  Skipping ahead in the XORWOW generator: core/xorwow.c.
 */
#ifndef SOFTGPU_XORWOW_H
#define SOFTGPU_XORWOW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Advance by count * 2^log2_steps steps.
 *  @param[in,out] v  the five words of the shift register (not the counter)
 *  @param log2_steps at most 67 */
void softgpu_xorwow_jump(uint32_t v[5], uint64_t count, unsigned log2_steps);

#ifdef __cplusplus
}
#endif
#endif
