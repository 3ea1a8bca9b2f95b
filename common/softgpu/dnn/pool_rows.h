/* SPDX-License-Identifier: MIT */
/** @file
 *  Maximum pooling of rows of floats whose windows are side by side.  Element
 *  0 of a row of the windows is x[0], x[window], x[2 * window], ...  The loops
 *  have no branch, so that the compiler vectorizes them; windows of two
 *  columns, the usual ones, have loops of their own. */
#ifndef SOFTGPU_DNN_POOL_ROWS_H
#define SOFTGPU_DNN_POOL_ROWS_H

#include <stdbool.h>

/** The larger of each window's maximum so far and the elements of one of its
 *  rows.
 *  @param x       the row of the first window; the others follow
 *  @param window  columns of a window
 *  @param nan     a NaN is the maximum; false: none
 *  @param n       windows */
void dnn_update_maxima(const float *x, int window, bool nan, float *maximum,
                       int n);

/** The same with the place of the maximum; the first of equal elements stays.
 *  @param place  of the row's first element in its window */
void dnn_update_places(const float *x, int window, bool nan, int place,
                       float *maximum, int *at, int n);

/** Store a row of each window: its gradient where the maximum is, else 0.
 *  @param dx     the row of the first window
 *  @param place  of the row's first element in its window
 *  @param dy     a gradient a window
 *  @param at     the maximum's place in each window */
void dnn_store_at_places(float *dx, int window, int place, const float *dy,
                         const int *at, int n);

#endif
