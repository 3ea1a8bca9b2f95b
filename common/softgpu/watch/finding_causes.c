/* SPDX-License-Identifier: MIT */
/* Which findings are consequences of another one: a defect is reported once. */
#include <string.h>

#include "common/softgpu/core/core.h"
#include "finding_group.h"

static int is_same_kernel(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

int finding_is_race(enum softgpu_finding_kind kind)
{
    return kind == SOFTGPU_FIND_RACE_SHARED || kind == SOFTGPU_FIND_RACE_GLOBAL
           || kind == SOFTGPU_FIND_RACE_BLOCKS || kind == SOFTGPU_FIND_LOCKSTEP;
}

static int is_bad_address(enum softgpu_finding_kind kind)
{
    return kind <= SOFTGPU_FIND_MISALIGNED;
}

/* Of two races between the same lines the higher rank is reported. */
static int race_rank(enum softgpu_finding_kind kind)
{
    return kind == SOFTGPU_FIND_LOCKSTEP      ? 0
           : kind == SOFTGPU_FIND_RACE_GLOBAL ? 1
                                              : 2;
}

/* Is it the same access in the source? */
static int is_same_access(const struct source_line *a,
                          const struct source_line *b)
{
    return is_same_source_line(a, b) && a->column == b->column;
}

/* A stray access also meets what belongs to others: elements of the next row,
 * or memory that was freed. */
static int strays_into(const struct finding_group *stray,
                       const struct finding_group *b)
{
    return (b->finding.kind == SOFTGPU_FIND_USE_AFTER_FREE
            && is_same_access(&stray->location, &b->location))
           || (finding_is_race(b->finding.kind)
               && (is_same_access(&stray->location, &b->location)
                   || is_same_access(&stray->location, &b->other)));
}

/* A warp whose other lanes have returned: what these lacked is no defect of its
 * own. */
static int lacks_lanes(const struct finding_group *a)
{
    return a->finding.kind == SOFTGPU_FIND_FAULT
           && strstr(a->message, SOFTGPU_NEEDS_ALL_LANES) != NULL;
}

/* A flag or counter that has no value before the launch: blocks that trust it
 * race for what it hands over. */
static int is_unset_flag(const struct finding_group *a,
                         const struct finding_group *race)
{
    return a->finding.kind == SOFTGPU_FIND_UNINIT_GLOBAL
           && race->finding.kind == SOFTGPU_FIND_RACE_BLOCKS
           && !strncmp(a->message, "atomic", 6)
           && !is_same_source_line(&a->location, &race->location)
           && !is_same_source_line(&a->location, &race->other);
}

int finding_explains(const struct finding_group *a,
                     const struct finding_group *b)
{
    const enum softgpu_finding_kind x = a->finding.kind, y = b->finding.kind;
    const int here = is_same_source_line(&a->location, &b->location);

    if (!is_same_kernel(a->finding.kernel, b->finding.kernel))
        return 0;
    if (x == SOFTGPU_FIND_OUT_OF_BOUNDS && strays_into(a, b))
        return 1;
    if (y == SOFTGPU_FIND_LOCKSTEP && lacks_lanes(a))
        return 1;
    if (is_unset_flag(a, b))
        return 1;
    if (finding_is_race(x) && finding_is_race(y)) /* of the same two lines */
        return here && !compare_source_lines(&a->other, &b->other)
               && race_rank(x) > race_rank(y);
    if (y == SOFTGPU_FIND_UNINIT_SHARED || y == SOFTGPU_FIND_UNINIT_GLOBAL)
        return (finding_is_race(x)
                && (here || is_same_source_line(&a->other, &b->location)))
               || (x == SOFTGPU_FIND_OUT_OF_BOUNDS && here);
    if (y == SOFTGPU_FIND_MEMSET_SIZE || x == SOFTGPU_FIND_MEMSET_SIZE)
        return 0;
    return y == SOFTGPU_FIND_FAULT && is_bad_address(x)
           && (here || !b->location.line);
}
