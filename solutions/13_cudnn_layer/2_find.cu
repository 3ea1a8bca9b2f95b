/* SPDX-License-Identifier: MIT */
/** @file
 *  A layer with cuDNN, step 2: algorithms from cudnnFind..., which runs all of
 *  them once. */
#include "find_algorithms.h"
#include "unfused.h"
