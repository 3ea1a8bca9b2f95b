/* SPDX-License-Identifier: MIT */
/** @file
 *  Grading many submissions: each in a child process, several at a time, each
 *  result written exactly once.
 *
 *  Only the supervisor (the process that calls batch_run()) writes to the
 *  results folder.  A child sends its result through a file in memory; when the
 *  supervisor ends, the kernel tells its children, which then end their runners
 *  and themselves, and nothing half done is kept.
 */
#ifndef AUTOGRADE_BATCH_H
#define AUTOGRADE_BATCH_H

#include "common/base/target.h"
#include "course.h"
#include "entry.h"

struct shard;

enum { SECRET_BYTES = 4096 };

/** How to grade. */
struct batch {
    struct store *store;         /**< open for writing */
    const struct course *course; /**< limits */
    struct target target;        /**< device */
    int jobs;                    /**< submissions at a time */
    const char *stem;            /**< this lab alone, or NULL */
    const char *student;         /**< this student alone, or NULL */
    bool again;                  /**< regrade: a new round for each entry */
    char secret[SECRET_BYTES];   /**< behind all inputs */
    size_t secret_bytes;         /**< its length */
    char program[DIGEST_TEXT];   /**< SHA-256 of the grader's executable, which
                                      each result names */
    size_t graded;               /**< results written by this call */
    size_t present;              /**< results that were there already */
    size_t failed;               /**< not graded: errors of the grader */
    size_t equal;                /**< entries that wait for another's result */
    size_t changed;              /**< entries whose settings had changed */
    /** Regrade: called with an old result and the new one. */
    void (*compare)(const json_t *entry, const json_t *old,
                    const json_t *now);
    /* A batch that is graded on several machines: cluster.h. */
    const json_t *part;   /**< object of the entries' names, or NULL: all */
    struct shard *shard;  /**< the results go there; entries stay as they are;
                               NULL: to the results folder */
    bool lists_only;      /**< grade nothing: what has no result is `failed` */
    bool is_asking;       /**< batch_pending() runs: entries stay, too */
    json_t *problems;     /**< array: why something was not graded; or NULL */
};

/** Read or make the secret of a results folder.
 *  @param path  the instructor's file, or NULL: random, made once
 *  @return false with one line */
bool batch_secret(struct batch *batch, const char *path,
                  struct failure *failure);
/** Grade all entries that need it.
 *  @return false with one line when nothing can be graded, or when a result
 *  cannot be written: what is written is whole, the same call continues */
bool batch_run(struct batch *batch, struct failure *failure);
/** The entries that need to be graded, one for each result that is missing.
 *  @param[out] names  new array of names, "entries/ID.json"
 *  @return false with one line */
bool batch_pending(struct batch *batch, json_t **names,
                   struct failure *failure);

#endif
