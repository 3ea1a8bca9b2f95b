/* SPDX-License-Identifier: MIT */
/* What is faster on a card must not be slower in the model: the steps of a
 * ladder, in their order. */
#include <string.h>

#include "prove.h"
#include "text.h"

/* A step may be so much slower and still count as fast: what a ladder's last
 * steps gain may lie beside what the model sees. */
static const double as_fast = 1.02;

static void fail(struct proof *proof, double fastest, const char *what)
{
    proof->held = false;
    text_put(proof->why, PROOF_TEXT, "modelled %.1f us, %.1f before it: %s",
             proof->modelled, fastest, what);
}

void proofs_order(const struct lab *lab, struct proof *proofs, size_t count)
{
    double fastest = 0;
    size_t step = 0;

    for (size_t i = 0; i < count && step < lab->steps; i++) {
        struct proof *proof = &proofs[i];
        bool slower, allowed;

        if (proof->claim != CLAIM_STEP)
            continue;
        allowed = *lab->slower[step++];
        if (!proof->held || proof->modelled <= 0)
            continue;
        slower = fastest > 0 && proof->modelled > fastest * as_fast;
        if (slower && !allowed)
            fail(proof, fastest, "a step that is faster on a card must not be "
                                 "slower in the model");
        if (allowed && !slower)
            fail(proof, fastest, "lab.ini's [slower] names it, but it is not");
        if (fastest <= 0 || proof->modelled < fastest)
            fastest = proof->modelled;
    }
}
