/* SPDX-License-Identifier: MIT */
/** @file
 *  softcc: the compiler of the software GPU.
 *
 *  It compiles CUDA C++ with a host compiler.  A .cu file is preprocessed,
 *  rewritten from CUDA C++ to C++ (rewriter/rewriter.h), and compiled.
 *  Includes and calls go one way:
 *
 *      support <- rewriter, compiler <- translate <- driver <- main
 */
#ifndef SOFTCC_DRIVER_H
#define SOFTCC_DRIVER_H

#include "compiler/options.h"

/** Compile and link what the options say.
 *  @return the exit code; 128 + N after signal N */
int drive(const struct options *options);

#endif
