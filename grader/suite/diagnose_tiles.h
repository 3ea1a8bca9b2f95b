/* SPDX-License-Identifier: MIT */
/** @file
 *  Rows or columns that were never written, by tiles.
 */
#ifndef GRADER_SUITE_DIAGNOSE_TILES_H
#define GRADER_SUITE_DIAGNOSE_TILES_H

#include "diagnose.h"

/** Is the grid that of the last call whose output was correct, and which was
 *  smaller? */
bool is_previous_grid(const struct evidence *evidence);
/** The last rows, or columns, of each tile are missing: the loop that stores it
 *  ends too early. */
diagnosis_rule ends_of_tiles;
/** Between the rows, or columns, that a block stores at a time there are some
 *  missing: the loop goes on too far. */
diagnosis_rule gaps_between_passes;
/** All rows, or columns, beyond the blocks of the grid are missing. */
diagnosis_rule beyond_grid;
/** The last of an odd number of rows, or columns, is missing. */
diagnosis_rule rest_of_pairs;
/** The end of a vector is missing: each block of some elements a thread begins
 *  as if its threads had one element each. */
diagnosis_rule overlapping_blocks;

#endif
