/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's discrete numbers in kernels: they are in curand_kernel.h.
 */
#ifndef CURANDDISCRETE_H_
#define CURANDDISCRETE_H_ /* programs ask for it */
#include "curand_kernel.h"
#endif
