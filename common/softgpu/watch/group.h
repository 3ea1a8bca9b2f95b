/* SPDX-License-Identifier: MIT */
/** @file
 *  Groups of findings: between findings.c, which collects, and report.c.
 */
#ifndef SOFTGPU_GROUP_H
#define SOFTGPU_GROUP_H

#include "findings.h"
#include "lines.h"

/** One defect, as it is told. */
struct group {
    struct softgpu_sighting seen; /**< the smallest block and thread */
    uint64_t count;
    struct source_line place, other; /**< filled in by report.c */
    char message[320];
};

/** Is the first one's block and thread smaller? */
int group_is_smaller(const struct softgpu_sighting *a,
                     const struct softgpu_sighting *b);

enum { GROUPS_MAX = 512 }; /**< that there can be */
/** Hand over all groups.  @return how many, at most GROUPS_MAX */
int groups_take(struct group **all);

#endif
