/* SPDX-License-Identifier: MIT */
/* The order of a ladder's modeled times: a step that is faster on a card must
 * not be slower in the model. */
#include <string.h>

#include "prove.h"
#include "common/base/text.h"

/* A step that is slower by this factor counts as equally fast: the model does
 * not see all that a ladder's last steps gain, and it counts instructions of
 * code compiled for the host's processor, so its times differ between
 * processors (lab 08's steps 4 and 5 are 2.0 % apart, on some a little
 * more). */
static const double order_tolerance = 1.05;

static void fail(struct proof *proof, double fastest, const char *what)
{
    proof->holds = false;
    text_format(proof->reason, PROOF_SIZE,
                "modeled %.1f us, an earlier step %.1f us: %s", proof->modeled,
                fastest, what);
}

void check_modeled_order(const struct lab *lab, struct proof *proofs,
                         size_t count)
{
    double fastest = 0;
    size_t step = 0;

    for (size_t i = 0; i < count && step < lab->steps; i++) {
        struct proof *proof = &proofs[i];
        bool slower, allowed;

        if (proof->claim != CLAIM_STEP)
            continue;
        allowed = *lab->slower[step++];
        if (!proof->holds || proof->modeled <= 0)
            continue;
        slower = fastest > 0 && proof->modeled > fastest * order_tolerance;
        if (slower && !allowed)
            fail(proof, fastest, "a step that is faster on a card must not be "
                 "slower in the model");
        if (allowed && !slower)
            fail(proof, fastest,
                 "[slower] names it, but it is not slower");
        if (fastest <= 0 || proof->modeled < fastest)
            fastest = proof->modeled;
    }
}
