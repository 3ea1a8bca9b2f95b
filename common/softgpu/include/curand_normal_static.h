/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's normal numbers in kernels: they are in curand_kernel.h.
 */
#include "curand_kernel.h"
