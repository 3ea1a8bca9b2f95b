/* SPDX-License-Identifier: MIT */
/* The option --tier: see boxes.h. */
#include "boxes.h"

#include "common.h"
#include "grader/box/canary.h"

/* Why neither A nor B can be made, and what would be accepted. */
static bool refuse_marks(void)
{
    char why_not_a[BOX_REASON], why_not_b[BOX_REASON];

    box_tier_is_offered(TIER_A, why_not_a);
    box_tier_is_offered(TIER_B, why_not_b);
    report_error(0, "%s", why_not_a);
    report_error(0, "%s", why_not_b);
    if (box_tier_is_offered(TIER_C, NULL))
        return report_error(0, "--tier C would grade without namespaces: see "
                            "docs/pages/autograde.md");
    return report_error(0, "--tier D would grade without boxes, as a "
                        "self-test, not for marks: see "
                        "docs/pages/autograde.md");
}

bool boxes_open(const struct options *options, bool marks)
{
    enum box_tier tier = TIER_D;
    char reason[BOX_REASON];

    if (options->tier)
        box_tier_parse(options->tier, &tier);
    else if (marks && (tier = box_best_tier()) == TIER_D)
        return refuse_marks();
    if (tier != TIER_D && !box_verify(tier, NULL, reason))
        return report_error(0, "nothing is graded: %s", reason);
    box_use_tier(tier);
    return true;
}
