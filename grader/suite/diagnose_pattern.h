/* SPDX-License-Identifier: MIT */
/** @file
 *  Wrong elements at equal distances.
 */
#ifndef GRADER_DIAGNOSE_PATTERN_H
#define GRADER_DIAGNOSE_PATTERN_H

#include "diagnose.h"

/** A part of each so many elements of a vector, as of a tile. */
diagnosis_rule part_of_each;
/** In some rows and columns of a matrix, at equal distances in both. */
diagnosis_rule lattice;

#endif
