/* SPDX-License-Identifier: MIT */
/** @file
 *  Maximum pooling of rows of floats whose windows are side by side.  Element
 *  0 of the windows is x[0], x[window], x[2 * window], ...  The loops have no
 *  branch, so that the compiler vectorizes them. */
#ifndef SOFTGPU_DNN_POOL_ROWS_H
#define SOFTGPU_DNN_POOL_ROWS_H

#include <stdbool.h>

/** The larger of each window's maximum so far and one of its elements.
 *  @param x       the element of each window
 *  @param window  its columns
 *  @param nan     a NaN is the maximum; false: none
 *  @param n       windows */
void dnn_update_maxima(const float *x, int window, bool nan, float *maximum,
                       int n);

/** The same with the place of the maximum; the first of equal elements stays.
 *  @param place  of the element in its window */
void dnn_update_places(const float *x, int window, bool nan, int place,
                       float *maximum, int *at, int n);

/** Store an element of each window: its gradient where the maximum is, else 0.
 *  @param dx     the element of each window
 *  @param place  of the element in its window
 *  @param dy     a gradient a window
 *  @param at     the maximum's place in each window */
void dnn_store_at_place(float *dx, int window, int place, const float *dy,
                        const int *at, int n);

#endif
