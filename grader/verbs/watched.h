/* SPDX-License-Identifier: MIT */
/** @file
 *  An instrumented run of a lab's file, for `check` and `profile`.
 */
#ifndef GRADER_VERBS_WATCHED_H
#define GRADER_VERBS_WATCHED_H

#include "grader/build/build.h"
#include "common/base/paths.h"
#include "grader/grade/watch.h"
#include "common.h"

/** An instrumented run. */
struct watched_run {
    struct lab lab;             /**< of the file */
    struct target target;       /**< the soft device */
    char scratch[PATH_MAX];     /**< folder that the runner may write to */
    char report[PATH_MAX + 16]; /**< JSON file in it */
    struct build_result built;         /**< the runner */
    struct session session;     /**< with the runner */
    struct watch_run watch_run;   /**< how cases are run */
    struct watch watch;         /**< results of the cases */
    int only;                   /**< index of the only case, or -1 */
};

/** Find the lab, its file and the case, and build the runner.
 *  @param watch  enum watch_flags
 *  @return EXIT_FULL, or an exit status after one line on stderr */
int watched_run_open(const struct options *options, unsigned watch,
                     struct watched_run *made);
/** Where `warpbook watch` shows the run, keep its text for windows of any width:
 *  see kept_text_write().  Watch then prints it, a screen at a time.
 *  @return false where there is no watch: the caller prints it */
bool watched_text_keep(void (*show)(const void *data), const void *data);
/** End the session. */
void watched_run_close(struct watched_run *made);

#endif
