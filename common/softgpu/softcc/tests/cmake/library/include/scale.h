/* SPDX-License-Identifier: MIT */
/** @file
 *  What the libraries of this project offer to host code. */
#ifndef SCALE_H
#define SCALE_H

/** x[i] *= factor for n <= 1024 elements of managed memory. @return 0 or an
 *  error */
int scale(int *x, int n);
/** The sum of n elements of managed memory, of n <= 1024. */
int total(const int *x, int n);

#endif
