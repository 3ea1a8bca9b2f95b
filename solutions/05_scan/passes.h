/* SPDX-License-Identifier: MIT */
/** @file
 *  The host code of the first two steps of lab 05: scan the tiles, scan their
 *  sums in the same way, add.
 *
 *  The steps differ only in their kernel: each defines its `scan_tiles` and,
 *  before it includes this file, THREADS.
 */
#ifndef SCAN_PASSES_H
#define SCAN_PASSES_H

#include "grid.h"
#include "scan.h"

enum { TILE = 512 }; /* elements per block */

/** Scan each tile separately, and write its sum to sums[blockIdx.x].  Grid one
 *  block per tile, block THREADS; in and out may be the same. */
__global__ void scan_tiles(const float *in, float *out, float *sums, size_t n,
                           int kind);

/** Add sums[b] to all elements of tile b.  A thread owns one element; grid one
 *  block per tile, block TILE. */
__global__ void add_tile_sums(float *out, const float *__restrict__ sums,
                              size_t n)
{
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;

    if (i < n) out[i] += sums[blockIdx.x];
}

/* Each level has 1/512 of the elements of the level above it, and stores its
 * sums behind those. */
static cudaError_t scan_level(const float *d_in, float *d_out, float *d_sums,
                              size_t n, int kind)
{
    unsigned tiles = (unsigned)ceil_div(n, TILE);

    scan_tiles<<<tiles, THREADS>>>(d_in, d_out, d_sums, n, kind);
    cudaError_t err = CUDA_CHECK(cudaGetLastError());
    if (err || tiles == 1) return err;
    err = scan_level(d_sums, d_sums, d_sums + tiles, tiles, SCAN_EXCLUSIVE);
    if (err) return err;
    add_tile_sums<<<tiles, TILE>>>(d_out, d_sums, n);
    return CUDA_CHECK(cudaGetLastError());
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    if (n == 0) return cudaSuccess;
    return scan_level(d_in, d_out, (float *)d_work, n, kind);
}

#endif
