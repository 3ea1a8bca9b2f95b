/* SPDX-License-Identifier: MIT */
/* What part.cu has for kernels. */
__device__ int part(int i);
