/* SPDX-License-Identifier: MIT */
/** @file
 *  Pseudorandom numbers in cuRAND's order.  XORWOW has 4096 lanes and MRG32k3a
 *  81,920 (4096 in the legacy order), 2^67 and 2^76 numbers apart, of which
 *  each gives one result, or two normal ones.  Philox has 65,536 lanes
 *  (subsequences) of four results, with a counter each.
 */
#include "rand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/mrg32k3a.h"
#include "softgpu/xorwow.h"

enum { XORWOW_LANES = 4096, PHILOX_LANES = 65536, GROUP = 4 };

#define SEED_STEP 3133713ull /* between two lanes' seeds, as cuRAND has it */

struct xorwow {
    uint32_t v[5], d;
};

/* --- numbers from 32-bit words ------------------------------------------- */

/* A float in (0, 1]: the middle of each interval of 2^-32. */
static float unit_float(uint32_t x) { return (float)x * 0x1p-32f + 0x1p-33f; }

/* A double in (0, 1) of 53 bits. */
static double unit_double(uint32_t x, uint32_t y)
{
    return (double)(x ^ (uint64_t)y << 21) * 0x1p-53 + 0x1p-54;
}

/* Box and Muller: two normal numbers of a radius and an angle. */
static void normal_float(float u, float angle,
                         union softgpu_rand_value pair[2])
{
    const float radius = sqrtf(-2.0f * logf(u));
    pair[0].f = radius * sinf(angle);
    pair[1].f = radius * cosf(angle);
}

static void normal_double(double u, double turns,
                          union softgpu_rand_value pair[2])
{
    const double radius = sqrt(-2.0 * log(u)), angle = 2.0 * M_PI * turns;
    pair[0].d = radius * sin(angle);
    pair[1].d = radius * cos(angle);
}

/* Results of a generator of 32-bit words: one, or two normal ones. */
static void from_words(enum softgpu_rand_result result,
                       const uint32_t words[4],
                       union softgpu_rand_value *values)
{
    const float turn = 0x1p-32f * 6.2831855f;
    switch (result) {
    case SOFTGPU_RAND_UNIFORM:
        values->f = unit_float(words[0]);
        break;
    case SOFTGPU_RAND_DOUBLE:
        values->d = unit_double(words[0], words[1]);
        break;
    case SOFTGPU_RAND_NORMAL:
        normal_float(unit_float(words[0]),
                     (float)words[1] * turn + turn / 2, values);
        break;
    case SOFTGPU_RAND_NORMAL_DOUBLE:
        normal_double(unit_double(words[0], words[1]),
                      unit_double(words[2], words[3]), values);
        break;
    default:
        values->bits = words[0];
    }
}

/* Words that one result, or one pair, is made of. */
static int words_of(enum softgpu_rand_result result)
{
    return result == SOFTGPU_RAND_NORMAL_DOUBLE ? 4
           : result == SOFTGPU_RAND_DOUBLE || result == SOFTGPU_RAND_NORMAL
               ? 2 : 1;
}

/* Do results come two at a time? */
static int is_pair(enum softgpu_rand_result result)
{
    return result == SOFTGPU_RAND_NORMAL
           || result == SOFTGPU_RAND_NORMAL_DOUBLE;
}

/* --- XORWOW -------------------------------------------------------------- */

/* Marsaglia's shift register of 160 bits, and a counter that is added. */
static uint32_t xorwow_next(struct xorwow *s)
{
    const uint32_t t = s->v[0] ^ s->v[0] >> 2;
    memmove(s->v, s->v + 1, 4 * sizeof *s->v);
    s->v[4] = s->v[4] ^ s->v[4] << 4 ^ t ^ t << 1;
    s->d += 362437;
    return s->v[4] + s->d;
}

/* The state that cuRAND makes of a seed. */
static void xorwow_seed(struct xorwow *s, uint64_t seed)
{
    const uint32_t a = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u);
    const uint32_t b = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
    *s = (struct xorwow){ { 123456789u + a, 362436069u ^ a, 521288629u + b,
                            88675123u ^ b, 5783321u + a },
                          6615241u + b + a };
}

/* One result, or two normal ones. */
static void xorwow_results(struct xorwow *s, enum softgpu_rand_result result,
                           union softgpu_rand_value *values)
{
    uint32_t words[4];
    for (int i = 0; i < words_of(result); i++)
        words[i] = xorwow_next(s);
    from_words(result, words, values);
}

/* --- MRG32k3a ------------------------------------------------------------ */

/* A double in (0, 1] of one output. */
static double mrg_unit(struct softgpu_mrg32k3a *s)
{
    return softgpu_mrg_next(s) * SOFTGPU_MRG_TO_UNIT;
}

/* One result, or two normal ones; a double takes one output, not two. */
static void mrg_results(struct softgpu_mrg32k3a *s,
                        enum softgpu_rand_result result,
                        union softgpu_rand_value *values)
{
    if (result == SOFTGPU_RAND_BITS) {
        values->bits = (uint32_t)(softgpu_mrg_next(s) * SOFTGPU_MRG_TO_BITS);
        return;
    }
    const double u = mrg_unit(s);
    if (result == SOFTGPU_RAND_UNIFORM)
        values->f = (float)u;
    else if (result == SOFTGPU_RAND_DOUBLE)
        values->d = u;
    else if (result == SOFTGPU_RAND_NORMAL)
        normal_float((float)u, (float)mrg_unit(s) * 6.2831855f, values);
    else
        normal_double(u, mrg_unit(s), values);
}

/* --- lanes that keep a state --------------------------------------------- */

/* The numbers that lane i skips of an offset over all lanes. */
static uint64_t skipped(const struct curandGenerator_st *g, unsigned i,
                        unsigned lanes)
{
    return (g->offset + lanes - 1 - i) / lanes;
}

/* Each lane begins 2^67 numbers after the one before it; in the seeded order
 * it has a seed of its own. */
static void start_xorwow(const struct curandGenerator_st *g,
                         struct xorwow *lanes)
{
    struct xorwow first;
    xorwow_seed(&first, g->seed);
    for (unsigned i = 0; i < XORWOW_LANES; i++) {
        const uint64_t skip = skipped(g, i, XORWOW_LANES);
        lanes[i] = first;
        softgpu_xorwow_jump(lanes[i].v, skip, 0);
        lanes[i].d += 362437u * (uint32_t)skip;
        if (g->order == CURAND_ORDERING_PSEUDO_SEEDED)
            xorwow_seed(&first, g->seed + (i + 1) * SEED_STEP);
        else /* the counter wraps to itself */
            softgpu_xorwow_jump(first.v, 1, 67);
    }
}

/* The legacy order has fewer lanes. */
static unsigned mrg_lanes(const struct curandGenerator_st *g)
{
    return g->order == CURAND_ORDERING_PSEUDO_LEGACY ? 4096 : 81920;
}

/* Each lane begins 2^76 numbers after the one before it. */
static void start_mrg(const struct curandGenerator_st *g,
                      struct softgpu_mrg32k3a *lanes)
{
    struct softgpu_mrg32k3a first;
    softgpu_mrg_seed(&first, g->seed);
    for (unsigned i = 0; i < mrg_lanes(g); i++) {
        lanes[i] = first;
        softgpu_mrg_jump(&lanes[i], skipped(g, i, mrg_lanes(g)), 0);
        softgpu_mrg_jump(&first, 1, 76);
    }
}

/* @return 0 without memory */
static int make_lanes(struct curandGenerator_st *g)
{
    const int is_mrg = g->type == CURAND_RNG_PSEUDO_MRG32K3A;
    g->lanes = is_mrg ? calloc(mrg_lanes(g), sizeof(struct softgpu_mrg32k3a))
                      : calloc(XORWOW_LANES, sizeof(struct xorwow));
    if (!g->lanes)
        return 0;
    if (is_mrg)
        start_mrg(g, g->lanes);
    else
        start_xorwow(g, g->lanes);
    g->turn = g->offset;
    return 1;
}

static unsigned lanes_of(const struct curandGenerator_st *g)
{
    return g->type == CURAND_RNG_PSEUDO_MRG32K3A ? mrg_lanes(g) : XORWOW_LANES;
}

/* A lane's next result, or two normal ones. */
static void lane_results(const struct curandGenerator_st *g, unsigned lane,
                         enum softgpu_rand_result result,
                         union softgpu_rand_value *values)
{
    if (g->type == CURAND_RNG_PSEUDO_MRG32K3A)
        mrg_results((struct softgpu_mrg32k3a *)g->lanes + lane, result, values);
    else
        xorwow_results((struct xorwow *)g->lanes + lane, result, values);
}

/* Normal numbers, one a turn. */
static int each_from_lanes(struct curandGenerator_st *g,
                           union softgpu_rand_value *values, size_t n)
{
    const unsigned lanes = lanes_of(g);
    union softgpu_rand_value pair[2];

    if (!g->kept) {
        g->kept = malloc(lanes * sizeof *g->kept);
        for (unsigned i = 0; g->kept && i < lanes; i++)
            g->kept[i] = NAN;
    }
    for (size_t i = 0; g->kept && i < n; i++, g->turn++) {
        const unsigned lane = (unsigned)(g->turn % lanes);
        pair[0].f = g->kept[lane];
        pair[1].f = NAN;
        if (isnan(g->kept[lane]))
            lane_results(g, lane, SOFTGPU_RAND_NORMAL, pair);
        values[i] = pair[0];
        g->kept[lane] = pair[1].f;
    }
    return g->kept != NULL;
}

/* The next results, each of the lane whose turn it is. */
static int from_lanes(struct curandGenerator_st *g,
                      enum softgpu_rand_result result,
                      union softgpu_rand_value *values, size_t n)
{
    const int step = is_pair(result) ? 2 : 1;
    if (!g->lanes && !make_lanes(g))
        return 0;
    if (result == SOFTGPU_RAND_NORMAL_EACH)
        return each_from_lanes(g, values, n);
    const unsigned lanes = lanes_of(g);
    for (size_t i = 0; i < n; i += step, g->turn++)
        lane_results(g, (unsigned)(g->turn % lanes), result, values + i);
    return 1;
}

/* --- Philox -------------------------------------------------------------- */

/* Ten rounds over a counter (Salmon et al. 2011). */
static void philox(uint64_t count, uint32_t lane, uint64_t seed,
                   uint32_t out[4])
{
    uint32_t c[4] = { (uint32_t)count, (uint32_t)(count >> 32), lane, 0 };
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);

    for (int round = 0; round < 10; round++) {
        const uint64_t a = 0xd2511f53ull * c[0], b = 0xcd9e8d57ull * c[2];
        c[0] = (uint32_t)(b >> 32) ^ c[1] ^ key0;
        c[1] = (uint32_t)b;
        c[2] = (uint32_t)(a >> 32) ^ c[3] ^ key1;
        c[3] = (uint32_t)a;
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    memcpy(out, c, sizeof c);
}

/* The counters of all lanes behind an offset, in groups.
 * @return NULL without memory */
static uint64_t *philox_counters(const struct curandGenerator_st *g)
{
    uint64_t *counters = malloc(PHILOX_LANES * sizeof *counters);

    for (uint64_t i = 0; counters && i < PHILOX_LANES; i++)
        counters[i] = (g->offset / GROUP + PHILOX_LANES - 1 - i) / PHILOX_LANES;
    return counters;
}

/* The counts of a group: one, for doubles two. */
static int counts_of(enum softgpu_rand_result result)
{
    return GROUP / (is_pair(result) ? 2 : 1) * words_of(result) / 4;
}

/* The four results of a group. */
static void philox_group(const struct curandGenerator_st *g, uint32_t lane,
                         enum softgpu_rand_result result,
                         union softgpu_rand_value values[GROUP])
{
    const uint64_t *counters = g->lanes;
    const int each = words_of(result), step = is_pair(result) ? 2 : 1;
    uint32_t words[8];

    for (int i = 0; i < counts_of(result); i++)
        philox(counters[lane] + (unsigned)i, lane, g->seed, words + 4 * i);
    for (int i = 0; i < GROUP / step; i++)
        from_words(result, words + i * each, values + i * step);
}

/* The next results; a group may be cut by the end of a call, and its lane
 * counts on when the group ends. */
static int from_philox(struct curandGenerator_st *g,
                       enum softgpu_rand_result result,
                       union softgpu_rand_value *values, size_t n)
{
    union softgpu_rand_value group[GROUP];

    if (!g->lanes)
        g->lanes = philox_counters(g);
    if (!g->lanes)
        return 0;
    for (size_t i = 0; i < n;) {
        const uint64_t at = g->offset + g->turn;
        const uint32_t lane = (uint32_t)(at / GROUP % PHILOX_LANES);
        unsigned k = at % GROUP;
        philox_group(g, lane, result, group);
        for (; k < GROUP && i < n; k++, g->turn++)
            values[i++] = group[k];
        if (k == GROUP)
            ((uint64_t *)g->lanes)[lane] += (unsigned)counts_of(result);
    }
    return 1;
}

int softgpu_rand_pseudo(struct curandGenerator_st *g,
                        enum softgpu_rand_result result,
                        union softgpu_rand_value *values, size_t n)
{
    if (softgpu_rand_is_twister(g))
        return softgpu_rand_twister(g, result, values, n);
    if (g->type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
        return from_lanes(g, result, values, n);
    return from_philox(g, result, values, n);
}
