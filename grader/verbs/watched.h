/* SPDX-License-Identifier: MIT */
/** @file
 *  What `check` and `profile` share: a lab's file, built to be watched.
 */
#ifndef GRADER_VERBS_WATCHED_H
#define GRADER_VERBS_WATCHED_H

#include "../build.h"
#include "../house.h"
#include "../watch.h"
#include "common.h"

/** A verb's watched run. */
struct watched_run {
    struct lab lab;             /**< whose file it is */
    struct target target;       /**< the soft device */
    char scratch[PATH_MAX];     /**< folder the runner may write to */
    char report[PATH_MAX + 16]; /**< file in it */
    struct built built;         /**< the runner */
    struct session session;     /**< with it */
    struct watching watching;   /**< all of that */
    struct watch watch;         /**< what the cases came to */
    int only;                   /**< the one case asked for, or -1 */
};

/** Find the lab, its file and the case asked for, and build the runner.
 *  `watch` is enum watched_for.
 *  @return EXIT_FULL, or an exit code after one line on stderr */
int watched_open(const struct options *options, unsigned watch,
                 struct watched_run *made);
/** End the session. */
void watched_close(struct watched_run *made);

#endif
