/* SPDX-License-Identifier: MIT */
/** @file
 *  The folders in which control groups can be made, and their names.
 */
#ifndef GRADER_BOX_CGROUP_HIERARCHIES_H
#define GRADER_BOX_CGROUP_HIERARCHIES_H

#include <stdbool.h>

#include "group.h"

/** Where groups can be made. */
struct cgroup_hierarchies {
    bool is_version_2; /**< the only folder has all controllers */
    int count;         /**< of folders; 0: nowhere */
    char folder[GROUP_FOLDERS][GROUP_PATH]; /**< version 1: memory, pids, cpu,
                                                 then version 2 to kill, where
                                                 there is one */
    char problem[256]; /**< why nowhere, one line */
};

/** Find them, the first time, and remove empty groups there of killed
 *  graders. */
const struct cgroup_hierarchies *cgroup_hierarchies(void);
/** The path of this process's group of that number.
 *  @param[out] path  GROUP_PATH bytes */
void cgroup_name(char *path, const char *folder, unsigned number);

#endif
