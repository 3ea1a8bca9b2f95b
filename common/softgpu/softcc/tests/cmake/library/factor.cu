/* SPDX-License-Identifier: MIT */
/* A device function that another file calls, and its variable. */
__device__ int factor_value = 5;

__device__ int factor() { return factor_value; }
