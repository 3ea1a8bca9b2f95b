/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's MTGP32 in kernels: all threads of a block, at most 256, call
 *  together and get a number each, of one state.  Each call has two barriers of
 *  the block: before and after the state moves on.
 */
#ifndef SOFTGPU_CURAND_MTGP32_KERNEL_H
#define SOFTGPU_CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H /* programs ask for it */

#include "softgpu/push_macros.h"
#include "cuda_runtime.h"
#include "curand_mtgp32.h"

namespace softgpu {

/** Make word t of a turn, and move on by n words when all threads have theirs;
 *  thread 0 of the turn does it.
 *  @return the word, tempered with this table */
inline unsigned mtgp_turn(curandStateMtgp32_t *state, unsigned t, unsigned n,
                          const unsigned (*tables)[TBL_SIZE], unsigned shift)
{
    const mtgp32_kernel_params_t *k = state->k;
    const int set = state->pIdx;
    const unsigned at = t + static_cast<unsigned>(state->offset);
    const unsigned pos = k->pos_tbl[set], mask = MTGP32_STATE_MASK;
    const unsigned sum = softgpu_mtgp_sum(
        state->s[at & mask], state->s[(at + 1) & mask],
        state->s[(at + pos) & mask], k->mask[0], k->sh1_tbl[set],
        k->sh2_tbl[set]);
    const unsigned word = sum ^ k->param_tbl[set][sum % TBL_SIZE];
    const unsigned picked = state->s[(at + pos - 1) & mask];

    state->s[(at + MTGPDC_N) & mask] = word;
    const unsigned result =
        word >> shift ^ tables[set][softgpu_mtgp_temper(picked)];
    __syncthreads();
    if (t == 0)
        state->offset = static_cast<int>((at + n) & mask);
    __syncthreads();
    return result;
}

/** The thread's number in its block. */
inline unsigned thread_in_block()
{
    return threadIdx.x
           + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/** A float in [1, 2) of the bits of its mantissa. */
inline float mtgp_float(unsigned bits) { return __uint_as_float(bits); }

} // namespace softgpu

/** The next 32 bits of each thread of the block. */
inline unsigned curand(curandStateMtgp32_t *state)
{
    return softgpu::mtgp_turn(state, softgpu::thread_in_block(),
                              blockDim.x * blockDim.y * blockDim.z,
                              state->k->temper_tbl, 0);
}

/** 32 bits of place `index` of the next n; a thread of the block has each
 *  place, and all threads call.  n is at most 255. */
inline unsigned curand_mtgp32_specific(curandStateMtgp32_t *state,
                                       unsigned char index, unsigned char n)
{
    return softgpu::mtgp_turn(state, index, n, state->k->temper_tbl, 0);
}

/** A float in [1, 2) for each thread of the block, of the same sequence; on a
 *  card the numbers after it differ: its header stores the word elsewhere. */
inline float curand_mtgp32_single(curandStateMtgp32_t *state)
{
    return softgpu::mtgp_float(softgpu::mtgp_turn(
        state, softgpu::thread_in_block(),
        blockDim.x * blockDim.y * blockDim.z, state->k->single_temper_tbl, 9));
}

/** A float in [1, 2) of place `index` of the next n. */
inline float curand_mtgp32_single_specific(curandStateMtgp32_t *state,
                                           unsigned char index,
                                           unsigned char n)
{
    return softgpu::mtgp_float(softgpu::mtgp_turn(
        state, index, n, state->k->single_temper_tbl, 9));
}

#include "softgpu/pop_macros.h"

#endif
