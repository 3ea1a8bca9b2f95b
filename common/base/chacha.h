/* SPDX-License-Identifier: MIT */
/** @file
 *  ChaCha20 (RFC 8439) as a generator: from any part of its output neither the
 *  key nor another part can be computed.
 */
#ifndef BASE_CHACHA_H
#define BASE_CHACHA_H

#include <stdint.h>

enum {
    CHACHA_KEY = 8,    /**< words of a key */
    CHACHA_BLOCK = 16, /**< words of a block */
    CHACHA_LANES = 8,  /**< blocks that are computed at once */
    CHACHA_WORDS = CHACHA_BLOCK * CHACHA_LANES /**< words of these */
};

/** Write the blocks counter .. counter + CHACHA_LANES - 1 of a key, one after
 *  the other.
 *  @param nonce  12 bytes as words: each gives another sequence */
void chacha_blocks(const uint32_t key[CHACHA_KEY], uint32_t counter,
                   const uint32_t nonce[3], uint32_t out[CHACHA_WORDS]);

#endif
