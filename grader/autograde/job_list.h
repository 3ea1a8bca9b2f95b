/* SPDX-License-Identifier: MIT */
/** @file
 *  The jobs of a batch: the results that are missing, and the entries that wait
 *  for them.  Of batch.c alone.
 */
#ifndef AUTOGRADE_JOB_LIST_H
#define AUTOGRADE_JOB_LIST_H

#include "batch.h"
#include "job.h"

/** An entry that is to point to a job's result. */
struct link {
    char *name; /**< "entries/ID.json", malloced */
    size_t job; /**< index in struct job_list */
    int round;  /**< of the entry, then */
};

/** All jobs of one call of batch_run(). */
struct job_list {
    struct batch *batch;              /**< whose jobs */
    struct job *job;                  /**< one for each missing result */
    size_t jobs;                      /**< of them */
    struct link *link;                /**< at least one for each job */
    size_t links;                     /**< of them */
    char settings[COURSE_LABS][1024]; /**< of the labs that occur */
    char stem[COURSE_LABS][64];       /**< their stems */
    int labs;                         /**< of them */
};

/** List what is missing; entries whose result is there are made to point to it.
 *  @param list  with a batch, else zero; freed by job_list_free() in any case
 *  @return false with one line */
bool job_list_find(struct job_list *list, struct failure *failure);
/** Let all entries of a job point to its result, which is written; a task of a
 *  cluster leaves that to the supervisor.  @return false with one line */
bool job_list_point(struct job_list *list, size_t job, struct failure *failure);
/** Where this batch writes the result of a job.
 *  @param[out] name  of the file there, STORE_NAME bytes */
const struct store *job_result_place(const struct batch *batch,
                                     const struct job *job, char *name);
/** Free the lists. */
void job_list_free(struct job_list *list);

#endif
