/* SPDX-License-Identifier: MIT */
/** @file
 *  Rows and columns that have all wrong elements.
 */
#ifndef GRADER_SUITE_DIAGNOSE_BANDS_H
#define GRADER_SUITE_DIAGNOSE_BANDS_H

#include "diagnose.h"

/** All in some rows or columns of a matrix: in a run of them, or in the same
 *  ones of each tile. */
diagnosis_rule some_rows_or_columns;

#endif
