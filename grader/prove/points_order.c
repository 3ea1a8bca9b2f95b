/* SPDX-License-Identifier: MIT */
/* The order of the points: a handout below a file with some parts right and
 * below every file that fails a single test, those below a right one, and no
 * step of the ladder below an earlier one. */
#include <string.h>

#include "prove.h"
#include "common/base/text.h"

/** Kinds of files, the worst first. */
enum rank { HANDOUT, WRONG_FILE, RIGHT_FILE, UNRANKED };

static enum rank rank_of(const struct proof *proof)
{
    switch (proof->claim) {
    case CLAIM_HANDOUT:
        return HANDOUT;
    case CLAIM_SCORE:
        return proof->is_right ? RIGHT_FILE : WRONG_FILE;
    case CLAIM_STEP:
        return RIGHT_FILE;
    default: /* graded until the first failing test only */
        return UNRANKED;
    }
}

static void fail(struct proof *proof, double points, const char *better)
{
    if (!proof->holds)
        return;
    proof->holds = false;
    text_format(proof->reason, PROOF_SIZE,
                "%g points, but %.100s, which is better, has %g",
                proof->score, better, points);
}

/* The points of all tests but the largest or the smallest one: what a file gets
 * at least, or at most, that fails a single test. */
static double points_with_failing_test(const struct lab *lab, bool largest)
{
    double all = 0, one = lab->test[0].points;

    for (size_t i = 0; i < lab->tests; i++) {
        const double points = lab->test[i].points;

        all += points;
        if (largest ? points > one : points < one)
            one = points;
    }
    return all - one;
}

/* Compare a proof with all of a better rank, and a step with the later ones up
 * to the reference. */
static void compare_with_better(const struct lab *lab, struct proof *proofs,
                                size_t count, size_t index)
{
    struct proof *proof = &proofs[index];
    const enum rank rank = rank_of(proof);

    for (size_t i = 0; i < count; i++) {
        const struct proof *other = &proofs[i];
        const bool is_better = rank_of(other) < UNRANKED
                               && rank_of(other) > rank;
        const bool is_later_step = proof->claim == CLAIM_STEP
                                   && other->claim == CLAIM_STEP && i > index
                                   && strcmp(proof->name, lab->reference);

        if (is_better && proof->score >= other->score)
            fail(proof, other->score, other->name);
        if (is_later_step && proof->score > other->score)
            fail(proof, other->score, other->name);
        if (is_later_step && !strcmp(other->name, lab->reference))
            break; /* what follows is beside the ladder */
    }
}

void check_points_order(const struct lab *lab, struct proof *proofs,
                        size_t count)
{
    const double most = points_with_failing_test(lab, false);
    const double least = points_with_failing_test(lab, true);

    for (size_t i = 0; i < count; i++) {
        if (rank_of(&proofs[i]) == UNRANKED)
            continue;
        compare_with_better(lab, proofs, count, i);
        if (rank_of(&proofs[i]) == RIGHT_FILE && proofs[i].score <= most)
            fail(&proofs[i], most, "a file that fails one test");
        if (rank_of(&proofs[i]) == HANDOUT && proofs[i].score >= least)
            fail(&proofs[i], least, "a file that fails only one test");
    }
}
