/* SPDX-License-Identifier: MIT */
/** @file
 *  Pairs of submissions that a person should compare, found by Debian's
 *  similarity-tester (`sim_c`), which ignores layout, comments, and the names
 *  and values of identifiers, numbers and strings.
 *
 *  Lines that a file shares with the lab's handout are left out first.  What is
 *  left is compared with every other file and with the steps of the ladder.
 *  The result is a list of lines to read: it is no score, and no mark uses it.
 */
#ifndef AUTOGRADE_SIMILARITY_H
#define AUTOGRADE_SIMILARITY_H

#include "gradebook.h"

enum {
    HANDOUT_RUN = 12, /**< tokens that count as the handout's text */
    SHARED_RUN = 24,  /**< tokens of the shortest run that is reported */
    PAIR_TOKENS = 60  /**< of all runs of a pair that is reported */
};

/** Lines of two files that are alike. */
struct similar_run {
    int first[2], last[2]; /**< lines in either file, from 1 */
    int tokens;            /**< how long it is */
};

/** Two files of a lab. */
struct similar_pair {
    size_t file[2];          /**< indices of similarity.file */
    bool is_equal;           /**< the files are the same, byte for byte */
    struct similar_run *run; /**< malloced */
    size_t runs;             /**< how many */
    int tokens;              /**< of all runs; orders the pairs */
};

/** A file that is compared. */
struct similar_file {
    char name[PATH_MAX];  /**< student's id, or "solutions/..." */
    char content[DIGEST_TEXT]; /**< SHA-256 */
    char *text;           /**< malloced, with a NUL at the end */
    bool is_step;         /**< a step of the ladder: not paired with others */
};

/** The files of a lab; free with similarity_free(). */
struct similarity {
    struct similar_file *file; /**< malloced */
    size_t files;              /**< how many */
    struct similar_pair *pair; /**< malloced; the longest first */
    size_t pairs;              /**< how many */
};

/** Add a file to be compared.
 *  @param text  malloced; freed by similarity_free() */
void similarity_add(struct similarity *similarity, const char *name,
                    char *text, bool is_step);
/** Compare all files.
 *  @param handout  text that belongs to nobody; NULL: none
 *  @return false with one line: sim_c is missing, or failed */
bool similarity_compare(struct similarity *similarity, const char *handout,
                        struct failure *failure);
/** Free it. */
void similarity_free(struct similarity *similarity);

#endif
