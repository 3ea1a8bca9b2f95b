/* SPDX-License-Identifier: MIT */
/** @file
 *  Results of MT19937 and MTGP32 in cuRAND's order, one word each.
 *
 *  MT19937 has 8192 lanes, 2^2048 numbers apart, which give eight words in
 *  turn: in each turn those that eight threads have made, a fixed permutation
 *  of 624 words in 78 turns.  MTGP32 has a parameter set and a seed for each of
 *  192 lanes (64 in the legacy order), which give 256 words in turn.
 */
#include "rand.h"

#include <stdlib.h>
#include <string.h>

#include "curand_mtgp32.h"
#include "mt19937.h"

enum {
    MT_LANES = 8192, MT_GROUP = 8, MT_TURNS = SOFTGPU_MT_WORDS / MT_GROUP,
    MTGP_GROUP = 256
};

/* --- MT19937 -------------------------------------------------------------- */

/* Lanes are made when their first turn comes, each from the one before it. */
struct mt_lanes {
    struct softgpu_mt19937 start; /* of the last lane that was made */
    unsigned made;
    struct softgpu_mt19937 lane[MT_LANES];
    uint32_t blocks[MT_LANES]; /* of 624 words that the lane has made */
};

/* The word of a thread in a turn: each thread has one of the first eight, and
 * then seven that follow each other in each of eleven parts. */
static int word_of(unsigned turn, unsigned thread)
{
    static const uint16_t first[MT_GROUP] = {0,   113, 170, 283,
                                             340, 397, 510, 567};
    static const uint16_t part[] = {1,   57,  114, 171, 227, 284,
                                    341, 398, 454, 511, 568};
    return turn == 0 ? first[thread]
                     : part[(turn - 1) / 7] + (turn - 1) % 7 + 7 * thread;
}

/* The word at a place of the sequence of all lanes. */
static uint32_t mt_word(struct curandGenerator_st *g, uint64_t at)
{
    struct mt_lanes *all = g->lanes;
    const unsigned i = (unsigned)(at / MT_GROUP % MT_LANES);
    const uint64_t turn = at / MT_GROUP / MT_LANES;

    if (i == all->made) {
        if (i == 0)
            softgpu_mt_seed(&all->start, (uint32_t)g->seed);
        else
            softgpu_mt_jump(&all->start);
        all->lane[i] = all->start;
        all->made++;
    }
    if (all->blocks[i] <= turn / MT_TURNS) {
        softgpu_mt_twist(&all->lane[i]);
        all->blocks[i]++;
    }
    return softgpu_mt_number(
        all->lane[i].word[word_of((unsigned)(turn % MT_TURNS), at % MT_GROUP)]);
}

/* --- MTGP32 --------------------------------------------------------------- */

/* A lane: its parameters, its words, the oldest first, and its last results. */
struct mtgp_lane {
    mtgp32_params_fast_t set;
    uint32_t word[MTGPDC_N + MTGP_GROUP];
    uint32_t result[MTGP_GROUP];
    uint64_t turns; /* so far */
};

/* The legacy order has fewer lanes. */
static unsigned mtgp_lanes(const struct curandGenerator_st *g)
{
    return g->order == CURAND_ORDERING_PSEUDO_LEGACY ? 64 : 192;
}

static void start_mtgp(const struct curandGenerator_st *g,
                       struct mtgp_lane *lanes)
{
    mtgp32_params_fast_t sets[CURAND_NUM_MTGP32_PARAMS];
    const uint32_t seed = (uint32_t)(g->seed ^ g->seed >> 32);

    softgpu_mtgp_parameters(sets);
    for (unsigned i = 0; i < mtgp_lanes(g); i++) {
        lanes[i].set = sets[i];
        softgpu_mtgp_seed(lanes[i].word, sets + i, seed + i + 1);
    }
}

/* The next results of a lane. */
static void mtgp_turn(struct mtgp_lane *lane)
{
    const mtgp32_params_fast_t *p = &lane->set;

    for (int i = 0; i < MTGP_GROUP; i++) {
        uint32_t *w = lane->word + i;
        const uint32_t sum =
            softgpu_mtgp_sum(w[0], w[1], w[p->pos], p->mask, (unsigned)p->sh1,
                             (unsigned)p->sh2);
        w[MTGPDC_N] = sum ^ p->tbl[sum % TBL_SIZE];
        lane->result[i] = w[MTGPDC_N]
                          ^ p->tmp_tbl[softgpu_mtgp_temper(w[p->pos - 1])];
    }
    memmove(lane->word, lane->word + MTGP_GROUP, MTGPDC_N * sizeof *lane->word);
    lane->turns++;
}

/* The word at a place of the sequence of all lanes. */
static uint32_t mtgp_word(struct curandGenerator_st *g, uint64_t at)
{
    const unsigned lanes = mtgp_lanes(g);
    struct mtgp_lane *lane =
        (struct mtgp_lane *)g->lanes + at / MTGP_GROUP % lanes;

    if (lane->turns <= at / MTGP_GROUP / lanes)
        mtgp_turn(lane);
    return lane->result[at % MTGP_GROUP];
}

/* --- results -------------------------------------------------------------- */

/* A result of a word.  Doubles have 32 random bits.  Uniform numbers of MT19937
 * are the middles of their intervals, rounded once; MTGP32's normal doubles are
 * floats. */
static union softgpu_rand_value result_of(uint32_t word, int is_mt,
                                          enum softgpu_rand_result result)
{
    union softgpu_rand_value v;

    if (is_mt && result == SOFTGPU_RAND_UNIFORM) {
        v.f = (float)(word * 0x1p-32 + 0x1p-33);
        return v;
    }
    if (is_mt && result == SOFTGPU_RAND_DOUBLE) {
        v.d = word * 0x1p-32 + 0x1p-33;
        return v;
    }
    if (result == SOFTGPU_RAND_NORMAL_DOUBLE && !is_mt) {
        v = softgpu_rand_convert((uint64_t)word << 32, 0, SOFTGPU_RAND_NORMAL);
        v.d = (double)v.f;
        return v;
    }
    return softgpu_rand_convert((uint64_t)word << 32, 0, result);
}

/* @return 0 without memory */
static int make_lanes(struct curandGenerator_st *g, int is_mt)
{
    g->lanes = is_mt ? calloc(1, sizeof(struct mt_lanes))
                     : calloc(mtgp_lanes(g), sizeof(struct mtgp_lane));
    if (g->lanes && !is_mt)
        start_mtgp(g, g->lanes);
    return g->lanes != NULL;
}

int softgpu_rand_twister(struct curandGenerator_st *g,
                         enum softgpu_rand_result result,
                         union softgpu_rand_value *values, size_t n)
{
    const int is_mt = g->type == CURAND_RNG_PSEUDO_MT19937;

    if (!g->lanes && !make_lanes(g, is_mt))
        return 0;
    for (size_t i = 0; i < n; i++, g->turn++) {
        const uint32_t word = is_mt ? mt_word(g, g->turn)
                                    : mtgp_word(g, g->turn);
        values[i] = result_of(word, is_mt, result);
    }
    return 1;
}
