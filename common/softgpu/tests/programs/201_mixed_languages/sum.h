/* SPDX-License-Identifier: MIT */
/** @file
 *  Declarations for the three files. */
#ifndef SUM_H
#define SUM_H

#ifdef __cplusplus
extern "C" {
#endif

/** Write 0, 2, 4 ... to n elements. */
void fill(int *a, int n);

/** The sum of n elements on the device; -1 on failure. */
int device_sum(const int *d_a, int n);

#ifdef __cplusplus
}
#endif
#endif
