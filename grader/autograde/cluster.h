/* SPDX-License-Identifier: MIT */
/** @file
 *  Grading on a cluster: an array job of Slurm, each task a shard.
 *
 *      RESULTS/slurm/run.json   the run: its name, and the entries of each task
 *      RESULTS/slurm/job        id of the only array that may grade; once
 *      RESULTS/slurm/N/         results of task N: shard.h
 *      RESULTS/slurm/N.log      what task N printed
 *      RESULTS/device           model of the GPU of all results; once
 *
 *  The supervisor makes the folder by renaming it there as a whole, submits the
 *  array, waits, takes the tokens of all shards, moves their results to
 *  RESULTS/results and removes the folder.  A supervisor that finds the folder
 *  waits for its array and submits none.  A task grades only when its array is
 *  that of the file `job`, which the first task writes if the supervisor was
 *  killed before it could: a second array would do nothing.  Slurm decides
 *  where and when tasks run, and starts them again after a failure.
 */
#ifndef AUTOGRADE_CLUSTER_H
#define AUTOGRADE_CLUSTER_H

#include "batch.h"
#include "slurm.h"

/** The device of a batch that is graded elsewhere: the GPU when `name` is "gpu"
 *  or a GPU is requested, else the software GPU.
 *  @param[out] target  with the model of earlier results, or none for a GPU
 *  @return false with one line */
bool cluster_target(const struct store *store, const char *name,
                    struct slurm_request *request, struct target *target,
                    struct failure *failure);
/** Grade all entries that need it on the cluster, like batch_run().
 *  @param tier  as in --tier, or NULL
 *  @return false with one line; also when interrupted, then without one: the
 *  array goes on, and the same call waits for it */
bool cluster_run(struct batch *batch, const struct slurm_request *request,
                 const char *tier, struct failure *failure);

/* cluster_task.c: inside the array. */

/** A task that Slurm started. */
struct cluster_task {
    char run[64];    /**< path of the run's folder, by its descriptor */
    int folder;      /**< that descriptor */
    json_t *about;   /**< run.json */
    int index;       /**< of the shard */
    const char *device; /**< name of the device */
    int jobs;        /**< submissions at a time */
    const char *tier; /**< as in --tier, or NULL */
};

/** Open the shard of SLURM_ARRAY_TASK_ID.
 *  @param name  of the run
 *  @return false with one line: this process must not grade */
bool cluster_task_open(const struct store *store, const char *name,
                       struct cluster_task *task, struct failure *failure);
/** Grade the shard.  @return false with one line */
bool cluster_task_run(const struct cluster_task *task, struct batch *batch,
                      struct failure *failure);
/** Release it. */
void cluster_task_close(struct cluster_task *task);

#endif
