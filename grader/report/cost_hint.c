/* SPDX-License-Identifier: MIT */
/* The hint about a budget: the settings know the lab's usual kernel, and the
 * counts what this one is like. */
#include "cost_hint.h"

#include <string.h>

#include "common/base/text.h"

enum { WARP = 32 };

/* Lanes that load a float4 each, side by side, touch 16 sectors. */
static const double coalesced_sectors = 16.25;

/* Are the lanes of most requests far apart? */
static bool is_strided(const struct watched_case *watched)
{
    return watched->counter[METRIC_SECTORS].value
           > coalesced_sectors * watched->counter[METRIC_REQUESTS].value;
}

/* Does a warp with idle lanes cost as much of this as a full one? */
static bool is_per_warp(enum metric metric)
{
    return metric == METRIC_SECTORS || metric == METRIC_REQUESTS
           || metric == METRIC_WAVEFRONTS || metric == METRIC_BARRIERS;
}

/* Does the kernel use shared memory, do the units of the timeline overlap, or
 * are few conflicts left, so that the usual hint has been followed? */
static bool is_begun(const struct lab_budget *budget,
                     const struct watched_case *watched)
{
    const struct counter *counter = &watched->counter[budget->metric];

    if (budget->metric == METRIC_TIMELINE)
        return counter->value <= budget->limit[0] * counter->unit;
    if (budget->metric == METRIC_CONFLICTS)
        return budget->tiers > 1
               && counter->value
                      <= budget->limit[budget->tiers - 2] * counter->unit;
    return watched->counter[METRIC_WAVEFRONTS].value > 0;
}

void cost_hint(const struct lab_budget *budget,
               const struct watched_case *watched, char *text)
{
    const unsigned threads = watched->block_threads;
    const bool is_far_apart = *budget->strided_hint && is_strided(watched);
    const bool is_staged = *budget->staged_hint && is_begun(budget, watched);

    if (is_per_warp(budget->metric) && threads > 0 && threads < WARP)
        text_format(text, MESSAGE_SIZE,
                    "A block has %u thread%s, so %u of the %d lanes of each "
                    "warp are idle, and each request to memory serves at most "
                    "%u. Launch blocks of some full warps first: 128 or 256 "
                    "threads.",
                    threads, threads == 1 ? "" : "s", WARP - threads, WARP,
                    threads);
    else
        text_format(text, MESSAGE_SIZE, "%s",
                    is_far_apart ? budget->strided_hint
                    : is_staged  ? budget->staged_hint : budget->hint);
    if (*text && is_per_warp(budget->metric) && threads > WARP
        && threads % WARP)
        text_format(text + strlen(text), MESSAGE_SIZE - strlen(text),
                    " (A block has %u threads, no multiple of %d: its last "
                    "warp has idle lanes, and the warps of other blocks begin "
                    "within a sector.)", threads, WARP);
}

const struct lab_budget *next_cost(const struct lab *lab,
                                   const struct report *report)
{
    size_t unmeasured = LAB_MAX_WATCHED; /* a case with such a budget */

    for (size_t i = 0; i < lab->budgets; i++) {
        const enum verdict verdict = report->budget[i].verdict;

        if (verdict == UNMEASURED)
            unmeasured = lab->budget[i].watched;
        else if (verdict != PASS && lab->budget[i].watched != unmeasured)
            return &lab->budget[i];
    }
    return NULL;
}
