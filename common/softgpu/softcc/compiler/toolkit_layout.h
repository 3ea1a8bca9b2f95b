/* SPDX-License-Identifier: MIT */
/** @file
 *  What CMake asks of nvcc: where the Toolkit lies, and how programs are
 *  linked.  Beside libsoftgpu.a there is a folder `cuda` with the layout of a
 *  Toolkit: bin/nvcc, include, and lib64 with the names of its libraries.
 */
#ifndef SOFTCC_TOOLKIT_LAYOUT_H
#define SOFTCC_TOOLKIT_LAYOUT_H

#include "toolchain.h"

/** -v: print it on stderr, in the lines that begin with "#$ ". */
void print_toolkit(const struct job *job);

#endif
