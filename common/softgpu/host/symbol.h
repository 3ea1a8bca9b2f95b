/* SPDX-License-Identifier: MIT */
/** @file
 *  __device__ and __constant__ variables: every device has its own value of
 *  each.  A variable has one address in the program, which holds the value of
 *  one device at a time; values are swapped when a command of another device
 *  runs.
 *
 *  softcc registers the variables before main(), except members of class
 *  templates and variable templates.  Those are registered by the first call
 *  that names them; until then all devices share one value.
 */
#ifndef SOFTGPU_SYMBOL_H
#define SOFTGPU_SYMBOL_H

#include "cuda_runtime_api.h"

/** Register a variable with its initial value. */
cudaError_t softgpu_symbol_add(char *address, size_t bytes);
/** Load the values of a device. */
void softgpu_symbols_load(int device);
/** The device whose values are in place. */
int softgpu_symbols_device(void);
/** Are they in place, or is there no variable? */
int softgpu_symbols_are_loaded(int device);
/** Reset a device's variables to their initial values. */
void softgpu_symbols_reset(int device);

#endif
