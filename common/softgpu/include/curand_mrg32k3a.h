/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's generator MRG32k3a in kernels: they are in curand_kernel.h.
 */
#include "curand_kernel.h"
