/* SPDX-License-Identifier: MIT */
/* The device function that part.cu defines. */
__device__ int part(int i);
