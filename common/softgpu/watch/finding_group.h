/* SPDX-License-Identifier: MIT */
/** @file
 *  Groups of findings: collected by findings.c, printed by findings_report.c.
 */
#ifndef SOFTGPU_WATCH_FINDING_GROUP_H
#define SOFTGPU_WATCH_FINDING_GROUP_H

#include <string.h>

#include "common/softgpu/core/source_line.h"
#include "findings.h"

/** One defect. */
struct finding_group {
    struct softgpu_finding finding; /**< of the smallest block and thread */
    uint64_t count;
    struct source_line location, other; /**< set by findings_report.c */
    struct source_line more[2]; /**< other lines after the first, as far as they
                                     fit */
    int other_lines, kernels;   /**< how many are merged in this group */
    char message[320];
};

/** Is the block and thread of a smaller than that of b? */
int finding_precedes(const struct softgpu_finding *a,
                     const struct softgpu_finding *b);

/** Order of two places, whatever their columns are. */
static inline int compare_source_lines(const struct source_line *a,
                                       const struct source_line *b)
{
    const int files = strcmp(a->file, b->file);

    return files ? files : (a->line > b->line) - (a->line < b->line);
}

/** Are both known, and the same line? */
static inline int is_same_source_line(const struct source_line *a,
                                      const struct source_line *b)
{
    return a->line && !compare_source_lines(a, b);
}

/** Is it a race, within a warp or beyond? */
int finding_is_race(enum softgpu_finding_kind kind);
/** Is b a consequence of the defect a?  Their places are set. */
int finding_explains(const struct finding_group *a,
                     const struct finding_group *b);

enum { GROUPS_MAX = 512 }; /**< further defects are not collected */
/** Copy the pointers of all groups.
 *  @param[out] all  room for GROUPS_MAX
 *  @return how many there are */
int copy_groups(struct finding_group **all);

#endif
