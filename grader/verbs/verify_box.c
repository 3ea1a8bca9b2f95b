/* SPDX-License-Identifier: MIT */
/* warpbook verify-box: the canary, in the boxes that a class would get. */
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "grader/box/canary.h"

static void show(enum box_kind kind, const char *words, enum act_end end)
{
    static const char *const kinds[] = {"unpack", "build", "run"};
    static const char *const ends[] = {"refused", "SUCCEEDED", "open"};

    printf("  %-9s  %-6s  %s\n", ends[end], kinds[kind], words);
}

static int verify(const struct options *options)
{
    enum box_tier tier = TIER_D;
    char reason[BOX_REASON];

    if (options->best) {
        printf("%s\n", box_tier_name(box_best_tier()));
        return EXIT_FULL;
    }
    if (options->tier)
        box_tier_parse(options->tier, &tier);
    else
        tier = box_best_tier();
    printf("%s\n", box_tier_words(tier));
    if (!box_verify(tier, show, reason))
        return report_error(EXIT_GRADER_ERROR, "%s", reason);
    printf(tier == TIER_D ? "a self-test, not for marks\n"
                          : "every act was refused that tier %s refuses\n",
           box_tier_name(tier));
    return EXIT_FULL;
}

const struct verb verb_verify_box = {
    "verify-box", "", "try what no submission may do, in its boxes",
    "A program of the grader tries some forty forbidden acts in the boxes in "
    "which autograde unpacks, builds and runs. Exit status 4 when one "
    "succeeds that the tier promises to refuse, or when this machine cannot "
    "make such boxes. Without --tier: the best tier of A, B and D.",
    "TB", 0, 0, verify};
