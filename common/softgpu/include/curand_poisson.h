/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's Poisson numbers in kernels: they are in curand_kernel.h.
 */
#ifndef CURAND_POISSON_H_
#define CURAND_POISSON_H_ /* programs ask for it */
#include "curand_kernel.h"
#endif
