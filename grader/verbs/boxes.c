/* SPDX-License-Identifier: MIT */
/* The option --tier: see boxes.h. */
#include "boxes.h"

#include "common.h"
#include "grader/box/canary.h"

#include <sys/resource.h>

/* Compilers and submissions inherit this shell's limits: with less they would
 * fail, and it would look like a fault of the submission. */
static bool shell_allows_enough(void)
{
    static const struct {
        __rlimit_resource_t resource;
        rlim_t least;
        const char *words;
    } needed[] = {
        {RLIMIT_AS, (rlim_t)8 << 30, "address space (ulimit -v)"},
        {RLIMIT_DATA, (rlim_t)8 << 30, "data (ulimit -d)"},
        {RLIMIT_FSIZE, (rlim_t)256 << 20, "files (ulimit -f)"},
        {RLIMIT_STACK, (rlim_t)1 << 20, "the stack (ulimit -s)"},
        {RLIMIT_CPU, 3600, "processor time (ulimit -t)"}};
    struct rlimit limit;

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (getrlimit(needed[i].resource, &limit) == 0
            && limit.rlim_cur < needed[i].least)
            return report_error(0, "nothing is graded: this shell limits %s "
                                "to %llu; submissions need %llu",
                                needed[i].words,
                                (unsigned long long)limit.rlim_cur,
                                (unsigned long long)needed[i].least);
    return true;
}

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

    if (!shell_allows_enough())
        return false;
    if (options->tier)
        box_tier_parse(options->tier, &tier);
    else if (marks && (tier = box_best_tier()) == TIER_D)
        return refuse_marks();
    if (tier != TIER_D && !box_verify(tier, NULL, reason))
        return report_error(0, "nothing is graded: %s", reason);
    box_use_tier(tier);
    return true;
}
