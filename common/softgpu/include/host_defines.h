/* SPDX-License-Identifier: MIT */
/** @file
 *  A header of CUDA that old programs name; cuda_runtime.h has all of it.
 */
#include "cuda_runtime.h"
