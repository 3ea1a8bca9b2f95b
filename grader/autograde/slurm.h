/* SPDX-License-Identifier: MIT */
/** @file
 *  Slurm's commands: sbatch and squeue, started with argument lists.
 */
#ifndef AUTOGRADE_SLURM_H
#define AUTOGRADE_SLURM_H

#include <stdbool.h>

#include "common/base/failure.h"

enum {
    SLURM_EXTRAS = 16,  /**< --slurm-option at most */
    SLURM_SHARDS = 1000 /**< tasks of an array; Slurm's own limit is 1001 */
};

/** Slurm options of the command line; each text may be NULL. */
struct slurm_request {
    const char *partition; /**< --partition */
    const char *account;   /**< --account */
    const char *time;      /**< --time of a task */
    const char *gres;      /**< --gres of a task: "gpu:h100:1" */
    const char *extra[SLURM_EXTRAS]; /**< options of sbatch, as they are */
    int extras;            /**< how many */
    int shards;            /**< tasks; 0: chosen */
};

/** Is anything set, which means nothing without --slurm? */
bool slurm_is_requested(const struct slurm_request *request);
/** Check that no value could be taken for another option of sbatch, and that
 *  no extra option replaces one that is set here.
 *  @return false with one line */
bool slurm_request_check(const struct slurm_request *request,
                         struct failure *failure);

/** Are Slurm's programs installed?  @return false with one line */
bool slurm_is_here(struct failure *failure);

/** Does the failure of a command say that Slurm's controller was not reached,
 *  or that its answer was lost?  What was asked for may have been done. */
bool slurm_may_answer_later(const struct failure *failure);

/** An array of tasks to be submitted. */
struct slurm_array {
    const char *name;   /**< of the job */
    const char *folder; /**< working folder; N.log of each task goes there */
    int tasks;          /**< their SLURM_ARRAY_TASK_ID: 0 to tasks - 1 */
    int cores;          /**< of a task */
    bool exclusive;     /**< no other job on its node */
    char *const *command; /**< a script and its arguments, NULL-terminated */
};

/** Submit an array whose tasks are started again when their node fails or a
 *  more important job takes it.
 *  @param[out] id  job id, 32 bytes
 *  @return false with one line */
bool slurm_submit(const struct slurm_request *request,
                  const struct slurm_array *array, char *id,
                  struct failure *failure);

/** Tasks that Slurm has not finished. */
struct slurm_queue {
    bool is_queued[SLURM_SHARDS]; /**< waits, runs or ends */
    int running;                  /**< of them */
    int waiting;                  /**< of them */
    char reason[128];             /**< why one of them waits, or "" */
    char id[32];                  /**< of the array, or "" */
};

/** Ask for the tasks of the array of a name.
 *  @return false with one line: Slurm does not answer */
bool slurm_query(const char *name, struct slurm_queue *queue,
                 struct failure *failure);

#endif
