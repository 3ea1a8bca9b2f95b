/* SPDX-License-Identifier: MIT */
/** @file
 *  Commands that need no device.  Host only. */
#ifndef HOST_COMMANDS_H
#define HOST_COMMANDS_H

#include "options.h"

/** `train compare`: print a table of runs, and the settings in which they
 *  differ.
 *  @param options  its files are output folders
 *  @return false with a message */
bool compare_runs(const struct train_options *options, FILE *out,
                  struct failure *failure);

/** `train average`: write the mean of the parameters and running statistics of
 *  several checkpoints of one network.
 *  @param options  its files: the new checkpoint, then at least two others
 *  @return false with a message */
bool average_models(const struct train_options *options,
                    struct failure *failure);

#endif
