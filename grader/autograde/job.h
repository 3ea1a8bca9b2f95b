/* SPDX-License-Identifier: MIT */
/** @file
 *  One submission to be graded, by a child process: shared by batch.c, the
 *  supervisor, and job.c, the child.
 */
#ifndef AUTOGRADE_JOB_H
#define AUTOGRADE_JOB_H

#include <sys/types.h>

#include "batch.h"
#include "grader/lab/lab.h"

enum { MAX_STUDENT_NAME = 60 }; /**< bytes of a student's name that are shown */

/** A submission with its settings; several entries may share it. */
struct job {
    char key[DIGEST_TEXT];     /**< of the result */
    char content[DIGEST_TEXT]; /**< of the file */
    const char *stem;          /**< lab; of the list */
    char *student;             /**< the first student, for the progress */
    uint64_t seed;             /**< of the inputs */
    int tries;                 /**< children that failed so far */
    bool is_done;              /**< graded, or given up */
    pid_t child;               /**< 0: not running */
    int fd;                    /**< file in memory with the child's result */
    double started;            /**< clock_seconds of the child's start */
    char *problem;             /**< why the last child failed, or NULL */
};

/** Open a lab with the limits of the course.  @return false with one line */
bool job_lab(const struct course *course, const char *stem, struct lab *lab,
             struct failure *failure);
/** Key and seed of a submission: see docs/pages/autograde.md.
 *  @param settings  job_settings() of its lab */
void job_identify(struct job *job, const struct batch *batch,
                  const char *settings, int round);
/** The settings that a result depends on, as text.
 *  @return malloced, or NULL with errno set */
char *job_settings(const struct batch *batch, const struct lab *lab);
/** Set batch->program.  @return false with one line */
bool job_program(struct batch *batch, struct failure *failure);
/** Start the child.  @return false with errno set */
bool job_start(struct job *job, const struct batch *batch);
/** Read what a child that ended has left.
 *  @param status  its wait status
 *  @return the result, or NULL with job->problem: the grader failed */
json_t *job_result(struct job *job, int status);

#endif
