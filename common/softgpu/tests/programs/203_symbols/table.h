/* SPDX-License-Identifier: MIT */
extern __device__ float table[4];
