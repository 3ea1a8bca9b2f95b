/* SPDX-License-Identifier: MIT */
/** @file
 *  threadIdx and its kind, under the name some programs include them by.
 */
#include "softgpu/abi.h"
