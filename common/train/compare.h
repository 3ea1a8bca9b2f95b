/* SPDX-License-Identifier: MIT */
/** @file
 *  Several runs side by side: what `train compare` shows.  Host only. */
#ifndef TRAIN_COMPARE_H
#define TRAIN_COMPARE_H

#include "checkpoint.h"

/** A run: its checkpoint's file, and the history in it. */
struct run {
    const char *folder;     /**< as the command line names it */
    struct tensors file;    /**< for the settings, which are its metadata */
    struct history history; /**< epochs and points within epochs */
};

/** Some runs. */
struct runs {
    struct run *run; /**< each, owned */
    int count;       /**< at least 2 */
};

/** The row that stands for a run: the epoch with the smallest validation loss,
 *  else the last one; NULL before the end of the first epoch. */
const float *run_best_row(const struct run *run);

/** Move through the settings that are not the same in all runs.
 *  @param[in,out] i  0 at first
 *  @return the name of the next one, or NULL */
const char *runs_next_difference(const struct runs *runs, int *i);

/** The value of a setting, readable; "-": there is none.
 *  @param[out] text  the value
 *  @return text */
const char *run_setting(const struct run *run, const char *name,
                        char text[OPTION_TEXT]);

/** Are the texts of the networks' files the same in all runs? */
bool runs_same_network(const struct runs *runs);

/** Write a page with a table of the runs, their learning curves, and the
 *  settings that differ.  It fits a narrow screen.
 *  @param path  of the page
 *  @return false with a message */
bool compare_write_page(const struct runs *runs, const char *path,
                        struct failure *failure);

#endif
