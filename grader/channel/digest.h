/* SPDX-License-Identifier: MIT */
/** @file
 *  The arithmetic of the digest, the same on the host and in a kernel: each
 *  word is mixed with its index and the key, and the results are summed, so
 *  that threads may process words in any order.
 *
 *  Device code defines DIGEST_CALL before it includes this file.
 */
#ifndef GRADER_CHANNEL_DIGEST_H
#define GRADER_CHANNEL_DIGEST_H

#include <stdint.h>

#ifndef DIGEST_CALL
#define DIGEST_CALL static inline /**< how its functions are declared */
#endif

/** splitmix64's mixing step: every input bit changes half the output bits. */
DIGEST_CALL uint64_t digest_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/** The term of word number `index`: one multiplication, since the digest is
 *  part of the timed region. */
DIGEST_CALL uint64_t digest_word(uint64_t key, uint64_t index, uint64_t word)
{
    uint64_t x = (word ^ (key + index * 0x9e3779b97f4a7c15u))
                 * 0x9fb21c651e98df25u;

    return x ^ x >> 29;
}

/** The key of an array of that length, from the state before it. */
DIGEST_CALL uint64_t digest_key(uint64_t state, uint64_t length)
{
    return digest_mix(state ^ digest_mix(length));
}

/** The state after it. */
DIGEST_CALL uint64_t digest_final(uint64_t key, uint64_t sum)
{
    return digest_mix(key ^ digest_mix(sum));
}

#endif
