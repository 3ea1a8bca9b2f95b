/* SPDX-License-Identifier: MIT */
/** @file
 *  Diagnosis: wrong elements of an array in host memory, by what was copied.
 */
#ifndef GRADER_DIAGNOSE_COPIES_H
#define GRADER_DIAGNOSE_COPIES_H

#include "diagnose.h"

/** Did as many bytes come to the host as the output has? */
bool output_was_copied(const struct evidence *e);
/** Kernels ran, and nothing was copied to the host. */
diagnosis_rule not_copied_back;
/** The copy to the host had fewer bytes: as many as there are elements. */
diagnosis_rule copied_in_part;
/** The copies of rows to the host ended early, by way of other host memory. */
diagnosis_rule copied_rows_in_part;

/** Of elements that were never written: the copies to the host lack them. */
diagnosis_rule copies_lack_them;
/** The same: an input did not reach the device. */
diagnosis_rule is_of_no_input;
/** The same: all bytes came to the host, but these rows not to the array. */
diagnosis_rule left_in_buffer;

#endif
