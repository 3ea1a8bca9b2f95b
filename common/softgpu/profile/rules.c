/* SPDX-License-Identifier: MIT */
/* The counting rules.  Addresses are sorted first (lanes mostly come sorted);
 * what is distinct is then counted in one pass. */
#include "rules.h"

/* Insertion sort: up to 64 numbers, nearly in order. */
static void sort(uint64_t *v, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        uint64_t x = v[i];
        unsigned j = i;

        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

/* Addresses of the active lanes among `lanes`, sorted.  @return how many */
static unsigned sorted(const struct warp_access *a, uint32_t lanes,
                       uint64_t *out)
{
    unsigned n = 0;

    for (uint32_t left = a->active & lanes; left; left &= left - 1)
        out[n++] = a->at[__builtin_ctz(left)];
    sort(out, n);
    return n;
}

void rule_global(const struct warp_access *a, struct global_cost *cost)
{
    uint64_t at[RULE_LANES], end = 0, next = 0; /* first not yet counted */
    unsigned n = sorted(a, ~0u, at);

    cost->sectors = cost->bytes = 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t from = at[i] > end ? at[i] : end;
        uint64_t s = at[i] / RULE_SECTOR;

        end = at[i] + a->bytes > end ? at[i] + a->bytes : end;
        cost->bytes += (uint32_t)(end - from);
        for (s = s > next ? s : next; s * RULE_SECTOR < end; s++)
            cost->sector[cost->sectors++] = s;
        next = s;
    }
    cost->ideal = (cost->bytes + RULE_SECTOR - 1) / RULE_SECTOR;
}

/* Distinct words of the lanes, rising.  @return how many, at most 64 */
static unsigned distinct_words(const struct warp_access *a, uint32_t lanes,
                               uint64_t *words)
{
    uint64_t at[RULE_LANES], next = 0;
    unsigned n = sorted(a, lanes, at), count = 0;

    for (unsigned i = 0; i < n; i++) {
        uint64_t w = at[i] / 4 > next ? at[i] / 4 : next;

        for (; w * 4 < at[i] + a->bytes; w++)
            words[count++] = w;
        next = w > next ? w : next;
    }
    return count;
}

/* One pass: the worst bank's distinct words. */
static uint32_t wavefronts(const struct warp_access *a, uint32_t lanes)
{
    uint64_t words[4 * RULE_LANES];
    unsigned n = distinct_words(a, lanes, words);
    uint8_t in_bank[RULE_BANKS] = {0};
    uint32_t worst = 0;

    for (unsigned i = 0; i < n; i++) {
        uint32_t count = ++in_bank[words[i] % RULE_BANKS];

        worst = count > worst ? count : worst;
    }
    return worst;
}

struct shared_cost rule_shared(const struct warp_access *a)
{
    const unsigned lanes = a->bytes <= 4 ? 32 : a->bytes <= 8 ? 16 : 8;
    const uint32_t first = lanes == 32 ? ~0u : (1u << lanes) - 1;
    struct shared_cost cost = {0, 0};

    for (unsigned at = 0; at < RULE_LANES; at += lanes) {
        uint32_t pass = first << at;

        if (!(a->active & pass))
            continue;
        cost.passes++;
        cost.wavefronts += wavefronts(a, pass);
    }
    return cost;
}

uint32_t rule_atomic(const struct warp_access *a)
{
    uint64_t at[RULE_LANES];
    unsigned n = sorted(a, ~0u, at);
    uint32_t run = 0, most = 0;

    for (unsigned i = 0; i < n; i++) {
        run = i && at[i] == at[i - 1] ? run + 1 : 1;
        most = run > most ? run : most;
    }
    return most;
}

uint32_t rule_constant(const struct warp_access *a)
{
    uint64_t words[4 * RULE_LANES];

    return distinct_words(a, ~0u, words);
}
