/* SPDX-License-Identifier: MIT */
/** @file
 *  __device__ and __constant__ variables: every device has its own value of
 *  each.  The program has one address, so the values of one device at a time
 *  are there, and are changed when another device's work runs.
 *
 *  Known are the variables that softcc registers before main(): all but members
 *  of class templates and variable templates.  Such a one is known from the
 *  first call about it on; until then it is one for all devices.
 */
#ifndef SOFTGPU_SYMBOL_H
#define SOFTGPU_SYMBOL_H

#include "cuda_runtime_api.h"

/** Make a variable known, with the value it begins with. */
cudaError_t softgpu_symbol_add(char *address, size_t bytes);
/** Put this device's values there. */
void softgpu_symbols_load(int device);
/** Give a device's variables the values they began with. */
void softgpu_symbols_reset(int device);

#endif
