/* SPDX-License-Identifier: MIT */
/** @file
 *  The Mersenne Twister MT19937 (M. Matsumoto, T. Nishimura, ACM Trans. Model.
 *  Comput. Simul. 8, 1998), and jumps of 2^2048 numbers in it.
 */
#ifndef SOFTGPU_MT19937_H
#define SOFTGPU_MT19937_H

#include <stdint.h>

/** Words of a state, and numbers that one twist makes. */
enum { SOFTGPU_MT_WORDS = 624 };

/** The last 624 words of the recurrence, the oldest first. */
struct softgpu_mt19937 {
    uint32_t word[SOFTGPU_MT_WORDS];
};

/** The state of a seed, before the first number. */
void softgpu_mt_seed(struct softgpu_mt19937 *state, uint32_t seed);

/** Advance by 624 words: each gives a number. */
void softgpu_mt_twist(struct softgpu_mt19937 *state);

/** The number of a word. */
static inline uint32_t softgpu_mt_number(uint32_t word)
{
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

/** Advance by 2^2048 numbers: the distance of cuRAND's subsequences.  The first
 *  call of a process computes the jump, which takes some hundredths of a
 *  second; each call some tenths of a millisecond. */
void softgpu_mt_jump(struct softgpu_mt19937 *state);

#endif
