/* SPDX-License-Identifier: MIT */
/** @file
 *  Scan, step 4: a single kernel with decoupled look-back.  A block gets its
 *  prefix from the blocks before it, which have started earlier, instead of
 *  from an earlier kernel (Merrill and Garland, 2016). */
#include "block_scan.h"

/** Status of a tile.  Zeroed memory means NOT_READY. */
enum { NOT_READY, AGGREGATE_READY, PREFIX_READY };

/** State of a tile: the upper half is its status, the lower half its sum (the
 *  aggregate) or, with PREFIX_READY, the sum of all elements up to its end.
 *  Both are in one word, so that they change together. */
typedef unsigned long long tile_state;

/** Publish the state of a tile.  Atomic, because other blocks load it
 *  meanwhile. */
__device__ static inline void publish_state(tile_state *tile, tile_state status,
                                            float value)
{
    atomicExch(tile, status << 32 | __float_as_uint(value));
}

/** Poll until the state of a tile is ready. */
__device__ static inline tile_state
wait_for_state(const volatile tile_state *tile)
{
    tile_state s;

    while ((s = *tile) >> 32 == NOT_READY)
        __nanosleep(20);
    return s;
}

/** The sum of all elements before `tile`, in all lanes of the calling warp.
 *
 *  Lane l loads the state of tile - 1 - l.  The nearest tile with PREFIX_READY
 *  ends the search; the aggregates of the tiles between are added.  If none of
 *  the 32 has it, the warp continues with the 32 tiles before.  The prefix of
 *  tile -1 and all before it is 0.
 */
__device__ static inline float look_back(const tile_state *tiles, size_t tile)
{
    unsigned lane = threadIdx.x % LANES, found = 0;
    float prefix = 0;

    for (size_t back = lane + 1; !found; back += LANES) {
        tile_state s = (tile_state)PREFIX_READY << 32;
        if (back <= tile) s = wait_for_state(&tiles[tile - back]);
        found = __ballot_sync(FULL_MASK, s >> 32 == PREFIX_READY);
        unsigned nearest = found ? __ffs(found) - 1 : LANES - 1;
        float value = lane <= nearest ? __uint_as_float((unsigned)s) : 0;
        for (int offset = LANES / 2; offset > 0; offset /= 2)
            value += __shfl_xor_sync(FULL_MASK, value, offset);
        prefix += value;
    }
    return prefix;
}

/** Get the next tile number, in the order in which blocks start: so a block
 *  waits only for blocks that are already running. */
__device__ static inline size_t claim_tile(tile_state *tile_counter)
{
    __shared__ tile_state s_tile_index;

    if (threadIdx.x == 0) s_tile_index = atomicAdd(tile_counter, 1);
    __syncthreads();
    return s_tile_index;
}

/** A block scans the tile that it gets, and waits for its prefix.
 *
 *  Grid one block per tile, block 256, 48 bytes of shared memory.  Each element
 *  is loaded and stored once. tile_states[0] is the tile counter, tile_states[1
 *  + t] the state of tile t; all are 0 initially.  The last barrier separates
 *  the store of the prefix by the first warp from the loads by all threads.
 */
__global__ void scan_all(const float *__restrict__ in, float *__restrict__ out,
                         tile_state *tile_states, size_t n, int kind)
{
    __shared__ float s_prefix;
    size_t tile = claim_tile(tile_states);
    struct thread_items s;

    load_items(&s, in, tile, n, is_float4_aligned(in, in));
    float sum = block_scan(&s);
    if (threadIdx.x < LANES) {
        if (threadIdx.x == 0)
            publish_state(&tile_states[1 + tile], AGGREGATE_READY, sum);
        float prefix = look_back(tile_states + 1, tile);
        if (threadIdx.x == 0) {
            publish_state(&tile_states[1 + tile], PREFIX_READY, prefix + sum);
            s_prefix = prefix;
        }
    }
    __syncthreads();
    store_items(&s, out, n, s_prefix, kind);
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    unsigned tiles = (unsigned)ceil_div(n, TILE);
    tile_state *d_tile_states = (tile_state *)d_work;

    if (n == 0) return cudaSuccess;
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(
        d_tile_states, 0, (1 + (size_t)tiles) * sizeof *d_tile_states));
    if (err) return err;
    scan_all<<<tiles, THREADS>>>(d_in, d_out, d_tile_states, n, kind);
    return CUDA_CHECK(cudaGetLastError());
}
