/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's Philox generator in kernels: it is in curand_kernel.h.
 */
#ifndef CURAND_PHILOX4X32_X__H_
#define CURAND_PHILOX4X32_X__H_ /* programs ask for it */
#include "curand_kernel.h"
#endif
