/* SPDX-License-Identifier: MIT */
/* See pool_rows.h.  The maximum begins as -infinity where a NaN is one, else as
 * NaN: then each number is larger.  Comparisons with NaN are false. */
#include "pool_rows.h"

#include "strip.h"

/* One pass for each element of the window; the loop is over windows. */
DNN_VECTORIZE
void dnn_update_maxima(const float *restrict x, int window, bool nan,
                       float *restrict maximum, int n)
{
    for (int q = 0; q < n; q++) {
        const float v = x[q * window], current = maximum[q];
        const bool stays =
            (v <= current) | (nan ? current != current : v != v);

        maximum[q] = stays ? current : v;
    }
}

/* Backward: as many passes, in the order of places, so that the first of equal
 * elements is kept. */
DNN_VECTORIZE
void dnn_update_places(const float *restrict x, int window, bool nan, int place,
                       float *restrict maximum, int *restrict at, int n)
{
    for (int q = 0; q < n; q++) {
        const float v = x[q * window], current = maximum[q];
        const int was = at[q];
        const bool stays =
            (v <= current) | (nan ? current != current : v != v);

        maximum[q] = stays ? current : v;
        at[q] = stays ? was : place;
    }
}

/* 0 + dy: a sum of one gradient is not -0. */
DNN_VECTORIZE
void dnn_store_at_place(float *restrict dx, int window, int place,
                        const float *restrict dy, const int *restrict at, int n)
{
    for (int q = 0; q < n; q++)
        dx[q * window] = at[q] == place ? 0 + dy[q] : 0;
}
