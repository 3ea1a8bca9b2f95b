/* SPDX-License-Identifier: MIT */
/** @file
 *  The built-in types: a header of older CUDA versions.
 */
#ifndef SOFTGPU_BUILTIN_TYPES_H
#define SOFTGPU_BUILTIN_TYPES_H

#include "driver_types.h"
#include "vector_types.h"

#endif
