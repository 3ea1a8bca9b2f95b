/* SPDX-License-Identifier: MIT */
/** @file
 *  NVTX for the driver, under its old name.
 */
#include "nvtx3/nvToolsExtCuda.h"
