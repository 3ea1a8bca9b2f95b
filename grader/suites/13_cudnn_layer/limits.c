/* SPDX-License-Identifier: MIT */
/* Lab 13's suite: the workspace stays within its limit. */
#include "layer_calls.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SUFFICIENT_WORKSPACE = 1 << 20 }; /* for some algorithm */

/* The workspace of a layer is the limit of the next one, until it shrinks no
 * more: its algorithms fit, so each of these layers can be created. */
static void check_exact_limits(const struct cudnn_layer_shape *shape)
{
    int64_t status, bytes = query_workspace(shape, WORKSPACE_LIMIT, &status);
    int64_t limit = -1;

    while (bytes != limit && !suite_failed()) {
        limit = bytes;
        suite_case("a limit of %lld bytes, as many as the workspace of a layer "
                   "of this shape", (long long)limit);
        bytes = query_workspace(shape, (size_t)limit, &status);
        expect_that(!status, "create() returned %lld: is an algorithm refused "
                    "whose workspace is exactly the limit, or needed more than "
                    "cudnn_layer_workspace() tells?", (long long)status);
        if (suite_failed())
            suite_hint("limit is the most bytes, so a workspace of that many "
                       "fits: it is too large if it is > limit.");
        expect_that(bytes <= limit, "the workspace has %lld bytes, more than "
                    "the limit of %lld", (long long)bytes, (long long)limit);
    }
    if (!suite_failed())
        layer_check_step(shape, (size_t)limit);
}

/* The workspace stays within the limit, and the step works with it.  In the
 * last shapes forward needs the largest one, backward data, backward filter:
 * many channels, many filters, many pixels. */
void layer_test_limits(void)
{
    static const size_t granted[] = {4096, 65536, 1 << 20, 1 << 26};
    static const struct cudnn_layer_shape large = {8, 64, 56, 56, 128,
                                                   3, 3,  1,  10};
    static const struct cudnn_layer_shape shapes[] = {
        {4, 8, 10, 10, 8, 3, 3, 1, 4}, {2, 40, 4, 4, 3, 3, 3, 1, 2},
        {2, 3, 4, 4, 40, 3, 3, 1, 2},  {2, 1, 24, 24, 2, 3, 3, 1, 2}};

    for (size_t i = 0; i < COUNT(granted) && !suite_failed(); i++) {
        int64_t status, bytes;

        suite_case("a limit of %zu bytes, 8 images of 64 x 56 x 56",
                   granted[i]);
        bytes = query_workspace(&large, granted[i], &status);
        if (status && granted[i] < SUFFICIENT_WORKSPACE)
            continue; /* maybe no algorithm needs so little */
        expect_success(status);
        expect_that(bytes >= 0 && (size_t)bytes <= granted[i],
                    "the workspace has %lld bytes, more than the limit of %zu",
                    (long long)bytes, granted[i]);
        layer_check_step(&shapes[0], granted[i]);
    }
    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++)
        layer_check_step(&shapes[i], WORKSPACE_LIMIT);
    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++)
        check_exact_limits(&shapes[i]);
}
