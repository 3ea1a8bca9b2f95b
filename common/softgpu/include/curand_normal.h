/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's normal numbers in kernels: they are in curand_kernel.h.
 */
#ifndef CURAND_NORMAL_H_
#define CURAND_NORMAL_H_ /* programs ask for it */
#include "curand_kernel.h"
#endif
