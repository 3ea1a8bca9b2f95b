/* SPDX-License-Identifier: MIT */
/** @file
 *  Does a program that is compiled with -fopenmp use OpenMP?  Many Makefiles
 *  give the option to all files.
 */
#ifndef SOFTCC_OPENMP_H
#define SOFTCC_OPENMP_H

#include "options.h"

/** Is -fopenmp given, and may a source use it?  It may where something else than
 *  a source is compiled or linked, where a source or a header of the program
 *  has a word of OpenMP's, and where a file cannot be read. */
bool uses_openmp(const struct options *options);
/** Is it -fopenmp, or -fopenmp=LIBRARY? */
bool is_openmp_option(const char *option);

#endif
