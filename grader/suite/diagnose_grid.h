/* SPDX-License-Identifier: MIT */
/** @file
 *  Diagnosis: elements that were never written, since the grid has too few
 *  blocks in a dimension or all blocks own the same elements.
 */
#ifndef GRADER_DIAGNOSE_GRID_H
#define GRADER_DIAGNOSE_GRID_H

#include "diagnose.h"

/** Those right of or below a grid of square tiles whose x and y are exchanged.
 *  The caller knows that no wrong element was written. */
diagnosis_rule exchanged_grid;
/** What lies between rows that were stored too far apart; likewise. */
diagnosis_rule gaps_between_rows;
/** All but as many as an image has pixels; likewise. */
diagnosis_rule one_for_each_pixel;
/** All rows but those of the blocks with blockIdx.z = 0; likewise. */
diagnosis_rule only_first_layer;
/** The last rows, where the grid has the blocks of tiles as wide as these are
 *  high; likewise. */
diagnosis_rule exchanged_tile_sides;
/** Does the grid cover the output, a matrix, with square tiles that are as wide
 *  as a block, whose threads then store a part of one at a time? */
bool has_square_tiles(const struct evidence *evidence);
/** All but those of one block, though more blocks ran; likewise. */
diagnosis_rule only_first_block;
/** Of a block of x x y threads, x and y not the same: of each tile of y x x
 *  only what these threads reach was written. */
diagnosis_rule exchanged_block;
/** Do the wrong elements fit that rule?  Then it is not known which thread
 *  should have written one. */
bool has_exchanged_block(const struct evidence *evidence);
/** Of an array that one block computes, the elements past its threads are
 *  wrong; the caller knows that they come from shared memory that no thread
 *  wrote. */
diagnosis_rule past_the_threads;

#endif
