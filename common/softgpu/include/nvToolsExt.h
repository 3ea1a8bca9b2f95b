/* SPDX-License-Identifier: MIT */
/** @file
 *  NVTX, under its old name.
 */
#include "nvtx3/nvToolsExt.h"
