/* SPDX-License-Identifier: MIT */
/** @file
 *  Bytes that a call wrote beside its arrays.
 */
#ifndef GRADER_SUITE_OVERRUN_H
#define GRADER_SUITE_OVERRUN_H

/** Fail the test if the last call wrote outside of an array, and say what to
 *  look for: of an array in host memory, by the bytes that were copied to
 *  it. */
void suite_check_overrun(void);

#endif
