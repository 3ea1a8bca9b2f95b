/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's uniform numbers in kernels: they are in curand_kernel.h.
 */
#ifndef CURAND_UNIFORM_H_
#define CURAND_UNIFORM_H_ /* programs ask for it */
#include "curand_kernel.h"
#endif
