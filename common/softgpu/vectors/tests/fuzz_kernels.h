/* SPDX-License-Identifier: MIT */
/** @file
 *  Random kernels for fuzz_engines.c: one program of CUDA C a seed.
 */
#ifndef SOFTGPU_FUZZ_KERNELS_H
#define SOFTGPU_FUZZ_KERNELS_H

#include <stdio.h>

/** CUDA C: struct pair, and a device function step() of it. */
extern const char fuzz_structure[];
/** CUDA C: run(), which launches a kernel and prints its line. */
extern const char fuzz_host_code[];

/** Write a program that launches random kernels; it prints for each its number,
 *  its block, the error, and a hash of its results.
 *
 *  @param to       file that is open for writing
 *  @param seed     the same seed gives the same program
 *  @param kernels  their number
 */
void fuzz_write_kernels(FILE *to, unsigned long long seed, int kernels);

#endif
