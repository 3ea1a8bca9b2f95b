/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Scan, step 4: one kernel.  A block asks the blocks before it, which have
 *  begun earlier, instead of waiting for a kernel to end (Merrill and Garland,
 *  2016). */
#include "tile.h"

/** What is known of a tile.  Zeroed memory says UNKNOWN. */
enum { UNKNOWN, SUM_KNOWN, PREFIX_KNOWN };

/** A tile's state: the upper half says what is known, the lower is its sum or,
 *  with PREFIX_KNOWN, the sum of all up to its end.  One word, so that nobody
 *  sees half of a change. */
typedef unsigned long long state;

/** Tell what is known of a tile.  An atomic, as others read meanwhile. */
__device__ static inline void tell(state *tile, state known, float value)
{
    atomicExch(tile, known << 32 | __float_as_uint(value));
}

/** Wait until anything is known of a tile. */
__device__ static inline state ask(const volatile state *tile)
{
    state s;

    while ((s = *tile) >> 32 == UNKNOWN)
        __nanosleep(20);
    return s;
}

/** The sum of all elements before `tile`, in all lanes of the warp that calls.
 *
 *  Lane l asks tile - 1 - l.  The nearest one that knows its prefix ends the
 *  search; the sums of those between are added.  When none of 32 does, the
 *  next 32 are asked.  Tile -1 and those before it are known to be 0.
 */
__device__ static inline float look_back(const state *tiles, size_t tile)
{
    unsigned lane = threadIdx.x % LANES, known = 0;
    float prefix = 0;

    for (size_t back = lane + 1; !known; back += LANES) {
        state s = (state)PREFIX_KNOWN << 32;
        if (back <= tile) s = ask(&tiles[tile - back]);
        known = __ballot_sync(ALL_LANES, s >> 32 == PREFIX_KNOWN);
        unsigned nearest = known ? __ffs(known) - 1 : LANES - 1;
        float value = lane <= nearest ? __uint_as_float((unsigned)s) : 0;
        for (int gap = LANES / 2; gap > 0; gap /= 2)
            value += __shfl_xor_sync(ALL_LANES, value, gap);
        prefix += value;
    }
    return prefix;
}

/** The number of the tile that this block takes: in the order in which blocks
 *  begin, so that a block only ever waits for blocks that run. */
__device__ static inline size_t take_tile(state *begun)
{
    __shared__ state s_tile;

    if (threadIdx.x == 0) s_tile = atomicAdd(begun, 1);
    __syncthreads();
    return s_tile;
}

/** A block scans the tile that it takes, and waits for its prefix.
 *
 *  Grid a block a tile, block 256, 48 bytes of shared memory.  Each element is
 *  read and written once.  states[0] counts the tiles taken, states[1 + t] is
 *  tile t's; all are 0 before.  The last barrier separates the first warp's
 *  writing the prefix from all threads' reading it.
 */
__global__ void scan_all(const float *__restrict__ in,
                         float *__restrict__ out, state *states, size_t n,
                         int kind)
{
    __shared__ float s_prefix;
    size_t tile = take_tile(states);
    struct share s;

    load_share(&s, in, tile, n, is_wide(in, in));
    float sum = scan_tile(&s);
    if (threadIdx.x < LANES) {
        if (threadIdx.x == 0) tell(&states[1 + tile], SUM_KNOWN, sum);
        float prefix = look_back(states + 1, tile);
        if (threadIdx.x == 0) {
            tell(&states[1 + tile], PREFIX_KNOWN, prefix + sum);
            s_prefix = prefix;
        }
    }
    __syncthreads();
    store_share(&s, out, n, s_prefix, kind);
}
// HANDOUT
// /** @file
//  *  Lab 05: running sums of a vector on the GPU.  The contract is in scan.h. */
// #include "grid.h"
// #include "scan.h"
//
// enum { TILE = 512 }; /* elements that a block scans, one a thread */
//
// /** Scan each tile for itself, and write its sum to sums[blockIdx.x].  Device
//  *  pointers; in and out may be the same. */
// __global__ void scan_tiles(const float *in, float *out, float *sums, size_t n,
//                            int kind)
// {
//     __shared__ float s_sum[2][TILE];
//     /* TODO 1: this thread's element, 0 past the end */
//     /* TODO 2: rounds: with gap = 1, 2, 4, ... each sum takes the one `gap`
//      * places before it; read one half of s_sum, write the other */
//     /* TODO 3: store what `kind` asks for, and the tile's sum */
// }
//
// /** Add sums[b] to all elements of tile b. */
// __global__ void add_sums(float *out, const float *__restrict__ sums, size_t n)
// {
//     /* TODO 4 */
// }
// END SOLUTION

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
// BEGIN SOLUTION
    unsigned tiles = (unsigned)tiles_for(n, TILE);
    state *d_states = (state *)d_work;

// END SOLUTION
    if (n == 0) return cudaSuccess;
// BEGIN SOLUTION
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(
        d_states, 0, (1 + (size_t)tiles) * sizeof *d_states));
    if (err) return err;
    scan_all<<<tiles, THREADS>>>(d_in, d_out, d_states, n, kind);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 5: scan the tiles, their sums into d_work; scan those sums, by the
//      * same means, for what comes before each tile; add it */
//     return cudaErrorNotSupported;
// END SOLUTION
}
