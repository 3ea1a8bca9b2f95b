/* SPDX-License-Identifier: MIT */
/** @file
 *  The control group of a box, of version 1 or 2: memory, processes,
 *  processors, the end of all its processes, and what the kernel counted.
 */
#ifndef GRADER_BOX_GROUP_H
#define GRADER_BOX_GROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    GROUP_FOLDERS = 4, /**< of version 1: memory, pids, cpu, and version 2 */
    GROUP_PATH = 512   /**< bytes of a folder's path */
};

/** A group: one folder a hierarchy. */
struct box_group {
    char folder[GROUP_FOLDERS][GROUP_PATH]; /**< memory's first */
    int count; /**< of folders; 0: there is no group */
};

/** Can groups that limit memory, processes and processors be made?
 *  @param[out] reason  why not, one line */
bool group_is_available(char *reason, size_t bytes);
/** Make an empty group with these limits.  Also removes groups that graders
 *  left that were killed.
 *  @param processors  0: all
 *  @return false with one line */
bool group_create(struct box_group *group, size_t memory, unsigned processes,
                  double processors, char *reason, size_t bytes);
/** In a forked process: enter the group.  @return false with errno set */
bool group_enter(const struct box_group *group);
/** Kill all processes of a group; returns when none is left in it, or after a
 *  second. */
void group_kill(const struct box_group *group);
/** Counts of the kernel. */
struct group_counts {
    unsigned long oom_kills; /**< processes ended because of memory.max */
    unsigned long refused;   /**< forks refused because of pids.max */
    size_t peak_memory;      /**< bytes, of all memory of the group */
};
/** Read the counts. */
void group_read(const struct box_group *group, struct group_counts *counts);
/** Remove an empty group. */
void group_remove(struct box_group *group);

#endif
