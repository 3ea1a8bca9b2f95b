/* SPDX-License-Identifier: MIT */
/** @file
 *  The properties of a device, from its card.
 */
#ifndef SOFTGPU_PROPERTIES_H
#define SOFTGPU_PROPERTIES_H

#include "cuda_runtime_api.h"

/** Describe device number `index`; *p is written whole. */
void softgpu_fill_properties(struct cudaDeviceProp *p, int index);

#endif
