/* SPDX-License-Identifier: MIT */
/* Functions that are called without their names, a constructor and a
 * conversion: their flags count for every kernel. */
// flags: constructs 3
// flags: converts 3
struct Self { int i; __device__ Self() : i(threadIdx.x) {} };
struct Late { int i; __device__ operator int() const { __syncthreads(); return i; } };
/* A constructor reads the indices. */
__global__ void constructs(int *p) { Self s; *p = s.i; }
/* A conversion to int waits. */
__global__ void converts(int *p) { Late l = { 3 }; *p = l; }
