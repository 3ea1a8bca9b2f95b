/* SPDX-License-Identifier: MIT */
/* A variable that another file uses. */
#include "table.h"

__device__ float table[4] = {0.5f, 1.5f, 2.5f};
