/* SPDX-License-Identifier: MIT */
/* Cost of one warp instruction.  The addresses of its lanes are sorted (most
 * warps have them in order already); distinct sectors and words are then
 * counted in one pass. */
#include "access_cost.h"

/* Insertion sort of up to 64 numbers, which are nearly in order. */
static void insertion_sort(uint64_t *v, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        uint64_t x = v[i];
        unsigned j = i;

        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

/* Sort the addresses of the active lanes among `lanes`.  @return how many */
static unsigned sorted_addresses(const struct warp_access *a, uint32_t lanes,
                                 uint64_t *out)
{
    unsigned n = 0;

    for (uint32_t left = a->active & lanes; left; left &= left - 1)
        out[n++] = a->address[__builtin_ctz(left)];
    insertion_sort(out, n);
    return n;
}

void global_access_cost(const struct warp_access *a, struct global_cost *cost)
{
    /* the first sector not counted yet */
    uint64_t address[COST_LANES], end = 0, next = 0;
    unsigned n = sorted_addresses(a, ~0u, address);

    cost->sectors = cost->bytes = 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t from = address[i] > end ? address[i] : end;
        uint64_t s = address[i] / SECTOR_BYTES;

        end = address[i] + a->bytes > end ? address[i] + a->bytes : end;
        cost->bytes += (uint32_t)(end - from);
        for (s = s > next ? s : next; s * SECTOR_BYTES < end; s++)
            cost->sector[cost->sectors++] = s;
        next = s;
    }
    cost->ideal = (cost->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

/* Distinct 4-byte words of the lanes, in rising order.  @return how many, at
 * most 160 */
static unsigned distinct_words(const struct warp_access *a, uint32_t lanes,
                               uint64_t *words)
{
    uint64_t address[COST_LANES], next = 0;
    unsigned n = sorted_addresses(a, lanes, address), count = 0;

    for (unsigned i = 0; i < n; i++) {
        uint64_t w = address[i] / 4 > next ? address[i] / 4 : next;

        for (; w * 4 < address[i] + a->bytes; w++)
            words[count++] = w;
        next = w > next ? w : next;
    }
    return count;
}

/* Wavefronts of one pass: distinct words in the bank that has most of them. */
static uint32_t wavefronts(const struct warp_access *a, uint32_t lanes)
{
    uint64_t words[4 * COST_LANES];
    unsigned n = distinct_words(a, lanes, words);
    uint8_t in_bank[SHARED_BANKS] = {0};
    uint32_t most_words = 0;

    for (unsigned i = 0; i < n; i++) {
        uint32_t count = ++in_bank[words[i] % SHARED_BANKS];

        most_words = count > most_words ? count : most_words;
    }
    return most_words;
}

struct shared_cost shared_access_cost(const struct warp_access *a)
{
    const unsigned lanes = a->bytes <= 4 ? 32 : a->bytes <= 8 ? 16 : 8;
    const uint32_t first = lanes == 32 ? ~0u : (1u << lanes) - 1;
    struct shared_cost cost = {0, 0};

    for (unsigned lane = 0; lane < COST_LANES; lane += lanes) {
        uint32_t pass = first << lane;

        if (!(a->active & pass))
            continue;
        cost.passes++;
        cost.wavefronts += wavefronts(a, pass);
    }
    return cost;
}

/* Lines of L1 that an access has sectors in. */
static uint32_t distinct_lines(const struct global_cost *cost)
{
    uint32_t lines = 0;

    for (uint32_t i = 0; i < cost->sectors; i++)
        lines += !i || cost->sector[i] / LINE_SECTORS
                           != cost->sector[i - 1] / LINE_SECTORS;
    return lines;
}

uint32_t global_load_wavefronts(const struct warp_access *a,
                                const struct global_cost *cost)
{
    const uint32_t lines = distinct_lines(cost);
    const uint32_t tags = (lines + TAGS_PER_CLOCK - 1) / TAGS_PER_CLOCK;
    uint32_t data;

    if (a->async || (lines == 1 && a->bytes <= 4))
        return tags; /* not through the banks; or each bank once */
    data = shared_access_cost(a).wavefronts;
    return data > tags ? data : tags;
}

uint32_t atomic_serialization(const struct warp_access *a)
{
    uint64_t address[COST_LANES];
    unsigned n = sorted_addresses(a, ~0u, address);
    uint32_t run = 0, max_lanes = 0;

    for (unsigned i = 0; i < n; i++) {
        run = i && address[i] == address[i - 1] ? run + 1 : 1;
        max_lanes = run > max_lanes ? run : max_lanes;
    }
    return max_lanes;
}

uint32_t constant_passes_of(const struct warp_access *a)
{
    uint64_t words[4 * COST_LANES];

    return distinct_words(a, ~0u, words);
}
