/* SPDX-License-Identifier: MIT */
/** @file
 *  Building the training program with the kernels of a lab, of the reference or
 *  of a file.
 */
#ifndef TRAIN_BUILD_PROGRAM_H
#define TRAIN_BUILD_PROGRAM_H

#include <stdbool.h>

#include "options.h"

/** Build the program for these options, unless it is newer than its sources.
 *  Sets TRAIN_DEVICE and TRAIN_ENGINE, for the report.
 *
 *  @param[out] program  its path, PATH_MAX bytes
 *  @return false after a message on stderr */
bool build_program(const struct train_options *options, char *program);

#endif
