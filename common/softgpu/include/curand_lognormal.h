/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's log-normal numbers in kernels: they are in curand_kernel.h.
 */
#ifndef CURAND_LOGNORMAL_H_
#define CURAND_LOGNORMAL_H_ /* programs ask for it */
#include "curand_kernel.h"
#endif
