/* SPDX-License-Identifier: MIT */
/** @file
 *  The progress of a batch: a bar with the time left on a terminal, a line for
 *  each submission elsewhere.
 */
#ifndef AUTOGRADE_PROGRESS_H
#define AUTOGRADE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/** Counts to be shown. */
struct progress {
    size_t total, done; /**< submissions */
    double started;     /**< clock_seconds of the first */
    double next;        /**< when the bar is drawn next */
    bool is_terminal;   /**< stdout is one */
};

/** Begin to show the progress of `total` submissions. */
void progress_begin(struct progress *progress, size_t total);
/** One is done.
 *  @param text  of any origin: cleaned here */
void progress_step(struct progress *progress, const char *text);
/** Print a line that is no submission.
 *  @param text  of any origin: cleaned here */
void progress_note(struct progress *progress, const char *text);
/** Draw the bar again when its time has come. */
void progress_tick(struct progress *progress);
/** Remove the bar. */
void progress_end(struct progress *progress);
/** "4 min 5 s", at most 32 bytes.  @return `text` */
char *duration_text(char text[32], double seconds);

#endif
