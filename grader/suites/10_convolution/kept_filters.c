/* SPDX-License-Identifier: MIT */
/* The filters of earlier calls, which a call may use by mistake, and whether
 * square ones were right. */
#include <string.h>

#include "grader/suite/suite.h"
#include "mistakes.h"

/* Keep the factors of the first call that has any, and of the latest two. */
static void keep_factors(struct convolution_case *c)
{
    enum { MAX = 2 * CONVOLUTION_MAX_FILTER_SIDE };
    static const char key;
    float *kept = suite_kept_floats(&key, 3 * MAX + 1), *place;
    const size_t calls = (size_t)kept[3 * MAX];

    c->first_factors = calls ? kept : NULL;
    c->factors_before =
        calls ? kept + (calls > 1 ? 1 + (calls - 1) % 2 : 0) * MAX : NULL;
    if (!c->factors)
        return;
    kept[3 * MAX]++;
    place = kept + (calls ? 1 + calls % 2 : 0) * MAX;
    memset(place, 0, MAX * sizeof *place);
    memcpy(place, c->factors,
           (size_t)(c->shape.rows + c->shape.columns) * sizeof *place);
}

void convolution_keep_filters(struct convolution_case *c)
{
    enum { MAX = CONVOLUTION_MAX_FILTER_SIDE * CONVOLUTION_MAX_FILTER_SIDE };
    static const char key;
    float *kept = suite_kept_floats(&key, 3 * MAX + 1);
    const size_t calls = (size_t)kept[3 * MAX]++;
    float *place = kept + (calls ? 1 + calls % 2 : 0) * MAX;

    c->first = calls ? kept : NULL;
    c->before =
        calls ? kept + (calls > 1 ? 1 + (calls - 1) % 2 : 0) * MAX : NULL;
    memset(place, 0, MAX * sizeof *place);
    for (int i = 0; i < c->shape.rows * c->shape.columns; i++)
        place[i] = c->filter[i];
    keep_factors(c);
}

void convolution_hint_sides(const struct convolution_shape *shape)
{
    static const char key;
    float *square_was_right = suite_kept_floats(&key, 1);

    if (!suite_failed() && shape->rows == shape->columns && shape->rows > 1)
        *square_was_right = 1;
    if (suite_failed() && shape->rows != shape->columns && *square_was_right)
        suite_hint("Square filters were right in this test, and this one is "
                   "not square: are rows taken for columns? The row stride of "
                   "a tile is its width + columns - 1, that of the filter is "
                   "`columns`, and the factors b[u] begin at factors[rows].");
}
