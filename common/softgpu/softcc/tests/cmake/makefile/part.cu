/* SPDX-License-Identifier: MIT */
#include "part.h"

/* A device function for a kernel of another file. */
__device__ int part(int i) { return i * i; }
