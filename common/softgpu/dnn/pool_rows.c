/* SPDX-License-Identifier: MIT */
/* See pool_rows.h.  The maximum begins as -infinity where a NaN is one, else as
 * NaN: then each number is larger.  Comparisons with NaN are false. */
#include "pool_rows.h"

#include "strip.h"

#define STAYS(v, current, nan) \
    (((v) <= (current)) | ((nan) ? (current) != (current) : (v) != (v)))

/* The bodies of the functions below, inlined with constants. */
static inline __attribute__((always_inline)) void
update_maxima(const float *restrict x, int window, bool nan,
              float *restrict maximum, int n)
{
    for (int s = 0; s < window; s++)
        for (int q = 0; q < n; q++) {
            const float v = x[q * window + s], current = maximum[q];
            const bool stays = STAYS(v, current, nan);

            maximum[q] = stays ? current : v;
        }
}

static inline __attribute__((always_inline)) void
update_places(const float *restrict x, int window, bool nan, int place,
              float *restrict maximum, int *restrict at, int n)
{
    for (int s = 0; s < window; s++)
        for (int q = 0; q < n; q++) {
            const float v = x[q * window + s], current = maximum[q];
            const int was = at[q];
            const bool stays = STAYS(v, current, nan);

            maximum[q] = stays ? current : v;
            at[q] = stays ? was : place + s;
        }
}

DNN_VECTORIZE
void dnn_update_maxima(const float *restrict x, int window, bool nan,
                       float *restrict maximum, int n)
{
    if (window == 2 && nan)
        update_maxima(x, 2, true, maximum, n);
    else if (window == 2)
        update_maxima(x, 2, false, maximum, n);
    else
        update_maxima(x, window, nan, maximum, n);
}

DNN_VECTORIZE
void dnn_update_places(const float *restrict x, int window, bool nan, int place,
                       float *restrict maximum, int *restrict at, int n)
{
    if (window == 2 && nan)
        update_places(x, 2, true, place, maximum, at, n);
    else if (window == 2)
        update_places(x, 2, false, place, maximum, at, n);
    else
        update_places(x, window, nan, place, maximum, at, n);
}

/* 0 + dy: a sum of one gradient is not -0. */
static inline __attribute__((always_inline)) void
store_at_places(float *restrict dx, int window, int place,
                const float *restrict dy, const int *restrict at, int n)
{
    for (int q = 0; q < n; q++) {
        const float value = 0 + dy[q];
        const int s_at = at[q] - place;

        for (int s = 0; s < window; s++)
            dx[q * window + s] = s_at == s ? value : 0;
    }
}

DNN_VECTORIZE
void dnn_store_at_places(float *restrict dx, int window, int place,
                         const float *restrict dy, const int *restrict at,
                         int n)
{
    if (window == 2)
        store_at_places(dx, 2, place, dy, at, n);
    else
        store_at_places(dx, window, place, dy, at, n);
}
