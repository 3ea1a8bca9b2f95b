/* SPDX-License-Identifier: MIT */
/** @file
 *  The output folder of a run.  A lock in it keeps a second run out, and a run
 *  that is there already is not overwritten by accident.  Host only. */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include "options.h"

/** May this run use its output folder?  It may if the folder has no checkpoint,
 *  or is the one to resume from, or --force was given.
 *  @return false with a message */
bool run_folder_check(const struct train_options *options,
                      struct failure *failure);

/** May a command write this file?  It may if there is none, or --force was
 *  given.
 *  @return false with a message */
bool new_file_check(const struct train_options *options, const char *path,
                    struct failure *failure);

/** Do two paths name one folder? */
bool run_folder_same(const char *a, const char *b);

/** Create and lock the output folder, check it, and remove what a killed run
 *  left half-written; with --force also the results of the earlier run.
 *  @param[out] lock  a file descriptor; closing it, or the end of the process,
 *                    unlocks the folder
 *  @return false with a message: another run uses the folder, it has a run, or
 *          it cannot be written */
bool run_folder_open(const struct train_options *options, int *lock,
                     struct failure *failure);

#endif
