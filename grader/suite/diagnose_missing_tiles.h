/* SPDX-License-Identifier: MIT */
/** @file
 *  Diagnosis: tiles of a matrix that no block or warp has.  The caller knows
 *  that no wrong element was written.
 */
#ifndef GRADER_SUITE_DIAGNOSE_MISSING_TILES_H
#define GRADER_SUITE_DIAGNOSE_MISSING_TILES_H

#include "diagnose.h"

/** All columns, or rows, from one on that is where the blocks of a grid of two
 *  dimensions end, if each has a tile of a usual size. */
diagnosis_rule beyond_tiles;
/** Those behind the tiles of the last block's warps, where a block begins one
 *  tile behind the one before, not as many as it has warps. */
diagnosis_rule overlapping_warps;
/** Of the tiles of the matrix, row by row, all but as many as there are blocks,
 *  or warps. */
diagnosis_rule last_tiles;

#endif
