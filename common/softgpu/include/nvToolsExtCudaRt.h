/* SPDX-License-Identifier: MIT */
/** @file
 *  NVTX for the runtime, under its old name.
 */
#include "nvtx3/nvToolsExtCudaRt.h"
