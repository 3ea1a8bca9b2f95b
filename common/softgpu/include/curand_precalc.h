/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's generators in kernels: they are in curand_kernel.h.
 */
#include "curand_kernel.h"
