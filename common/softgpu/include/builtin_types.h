/* SPDX-License-Identifier: MIT */
/** @file
 *  The built-in types under the name some programs include them by.
 */
#ifndef SOFTGPU_BUILTIN_TYPES_H
#define SOFTGPU_BUILTIN_TYPES_H

#include "driver_types.h"
#include "vector_types.h"

#endif
