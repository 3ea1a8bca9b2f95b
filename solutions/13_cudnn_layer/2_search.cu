/* SPDX-License-Identifier: MIT */
/** @file
 *  A layer by cuDNN, step 2: algorithms by trying them all once. */
#include "search.h"
#include "steps.h"
