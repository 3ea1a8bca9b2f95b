/* SPDX-License-Identifier: MIT */
/** @file
 *  A run on a cluster, as its supervisor sees it: shared by cluster.c, which
 *  begins and ends it, and cluster_wait.c, which waits for its tasks.
 */
#ifndef AUTOGRADE_CLUSTER_RUN_H
#define AUTOGRADE_CLUSTER_RUN_H

#include "cluster.h"

/** A run. */
struct cluster_run {
    struct batch *batch;
    char path[PATH_MAX]; /**< RESULTS/slurm, absolute */
    json_t *about;       /**< run.json */
    const char *name;    /**< of the run and of the job */
    size_t shards;       /**< tasks */
    char id[32];         /**< of the array */
    size_t moved;        /**< results that are in the results folder now */
    size_t lost;         /**< tasks that ended without a report */
    size_t problems;     /**< submissions that a task could not grade */
};

/** Wait until each task has ended, and show what they do.  Slurm is asked every
 *  2 to 30 seconds; results are seen at once, by their files.
 *  @return false when interrupted */
bool cluster_wait(struct cluster_run *run);
/** Take the tokens of all shards, so that no process can publish any more, and
 *  move their results to the results folder.
 *  @return false with one line */
bool cluster_collect(struct cluster_run *run, struct failure *failure);

#endif
