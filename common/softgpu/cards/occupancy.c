/* SPDX-License-Identifier: MIT */
/** @file
 *  Occupancy by the rules of the card.
 *
 *  Registers are allocated to warps in units of 256, and the warps of an SM
 *  are divided among 4 partitions with a quarter of the registers each.
 *  Shared memory is allocated in units of 128 bytes (256 before cc 8.0), plus
 *  the system's reserved part for each block, 1 KB since cc 8.0.
 */
#include "occupancy.h"

#define WARP 32
#define REGISTER_UNIT 256
#define MAX_THREADS 1024
#define KB 1024u

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t shared_unit(const struct softgpu_card *card)
{
    return card->major >= 8 ? 128 : 256;
}

static int blocks_by_registers(int warps, int registers)
{
    const int registers_per_warp =
        (int)round_up((size_t)registers * WARP, REGISTER_UNIT);
    const int warps_sm = SOFTGPU_REGISTERS / SOFTGPU_PARTITIONS
                         / registers_per_warp * SOFTGPU_PARTITIONS;
    return warps_sm / warps;
}

/* Use another limit if it is lower. */
static void apply_limit(int *blocks, enum occupancy_limit *limit, int other,
                        enum occupancy_limit why)
{
    if (other < *blocks) {
        *blocks = other;
        *limit = why;
    }
}

int softgpu_occupancy(const struct softgpu_card *card,
                      const struct softgpu_block_resources *needs,
                      enum occupancy_limit *limit)
{
    const int warps = (needs->threads + WARP - 1) / WARP;
    *limit = BY_THREADS;
    if (needs->threads < 1 || needs->threads > MAX_THREADS)
        return 0;
    int blocks = card->threads_sm / WARP / warps;
    apply_limit(&blocks, limit, card->blocks_sm, BY_BLOCKS);
    if (needs->registers)
        apply_limit(&blocks, limit,
                    blocks_by_registers(warps, needs->registers), BY_REGISTERS);
    const size_t shared =
        round_up(needs->shared + card->shared_reserved, shared_unit(card));
    if (needs->shared > card->shared_optin)
        apply_limit(&blocks, limit, 0, BY_SHARED);
    else if (shared)
        apply_limit(&blocks, limit, (int)(card->shared_sm / shared), BY_SHARED);
    return blocks;
}

int softgpu_blocks_per_sm(const struct softgpu_card *card,
                          const struct softgpu_block_resources *needs)
{
    enum occupancy_limit limit;
    return softgpu_occupancy(card, needs, &limit);
}

size_t softgpu_max_dynamic_shared(const struct softgpu_card *card, int blocks,
                                  size_t fixed)
{
    const size_t unit = shared_unit(card);
    const size_t each = card->shared_sm / (size_t)blocks / unit * unit;
    const size_t taken = fixed + card->shared_reserved;
    const size_t room = each > taken ? each - taken : 0;
    const size_t most = card->shared_optin - fixed;
    return room < most ? room : most;
}

/* Possible sizes of shared memory in an SM's L1, in KB (programming guide,
 * "Compute capabilities"). */
static const uint32_t carveouts[] = {0,  8,   16,  32,  64, 96,
                                     100, 132, 164, 196, 228};

uint32_t softgpu_carveout(const struct softgpu_card *card, int blocks,
                          size_t shared)
{
    const size_t each =
        shared ? round_up(shared + card->shared_reserved, shared_unit(card))
               : 0;
    const uint32_t least = card->major == 7 && card->minor == 5 ? 32 * KB : 0;
    for (size_t i = 0; i < sizeof carveouts / sizeof *carveouts; i++) {
        const uint32_t bytes = carveouts[i] * KB;
        const int offered = carveouts[i] != 96 || card->major == 7;
        if (offered && bytes >= least && bytes >= each * (size_t)blocks
            && bytes <= card->shared_sm)
            return bytes;
    }
    return card->shared_sm;
}
