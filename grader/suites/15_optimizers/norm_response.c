/* SPDX-License-Identifier: MIT */
/* Which gradients does a wrong norm of lab 15 contain? */
#include <stdio.h>

#include "grader/suite/response.h"
#include "mistakes.h"
#include "suite_15.h"

enum { TOGETHER = 8, MOST_LISTED = 6 };

/* How often the square of each gradient is in the norm: of TOGETHER of them in
 * a call, whose squares are powers of 4, in base 4.
 * Returns false when that is not known. */
static bool count_squares(const struct response *r, response_call *call,
                          void *context, int *times)
{
    const size_t n = r->in.size[0];
    float *in = suite_floats(n);
    double out[2];

    for (size_t first = 0; first < n; first += TOGETHER) {
        size_t k;
        double squares;
        long sum;

        for (k = 0; k < TOGETHER && first + k < n; k++)
            in[first + k] = (float)(1 << k);
        if (!call(context, in, NULL, out))
            return false;
        squares = out[0] * out[0];
        sum = squares < 1e9 ? lround(squares) : -1;
        if (sum < 0 || fabs(squares - (double)sum) > 1e-5 * squares)
            return false;
        while (k-- > 0) {
            times[first + k] = (int)(sum >> 2 * k) & 3;
            in[first + k] = 0;
        }
    }
    return true;
}

/* Does that give the norm of the failed call? */
static bool explains_norm(const struct evidence *evidence, const int *times)
{
    const struct response *r = evidence->expected->response;
    const double got = evidence_got(evidence, 0);
    double squares = 0;

    for (size_t i = 0; i < r->in.size[0]; i++)
        squares += times[i] * (double)r->in.values[i] * r->in.values[i];
    return isfinite(got) && fabs(sqrt(squares) - got) <= 1e-5 * fabs(got);
}

/* "3 of the 7 gradients: 1, 3, 5" */
static size_t list(const int *times, size_t n, bool lost, char *text,
                   size_t size)
{
    size_t count = 0, shown = 0;

    for (size_t i = 0; i < n; i++)
        count += lost ? times[i] == 0 : times[i] > 1;
    snprintf(text, size, "%zu of the %zu gradients: ", count, n);
    for (size_t i = 0; i < n && shown < MOST_LISTED; i++)
        if (lost ? times[i] == 0 : times[i] > 1)
            snprintf(text + strlen(text), size - strlen(text), "%s%zu",
                     shown++ ? ", " : "", i);
    snprintf(text + strlen(text), size - strlen(text), "%s",
             count > MOST_LISTED ? ", ..." : "");
    return count;
}

static enum certainty explain(const struct evidence *evidence,
                              response_call *call, void *context, char *text)
{
    const struct response *r = evidence->expected->response;
    const size_t n = r->in.size[0];
    int *times = (int *)suite_ints(n);
    char lost[96], more[96];

    if (!count_squares(r, call, context, times)
        || !explains_norm(evidence, times))
        return UNKNOWN;
    const bool lacks = list(times, n, true, lost, sizeof lost) > 0;
    const bool repeats = list(times, n, false, more, sizeof more) > 0;

    if (!lacks && !repeats)
        return UNKNOWN;
    snprintf(text, DIAGNOSIS_SIZE, "the norm %s%s%s%s%s",
             lacks ? "lacks " : "", lacks ? lost : "",
             lacks && repeats ? "; it " : "",
             repeats ? "contains more than once " : "", repeats ? more : "");
    return CERTAIN;
}

struct response optimizers_norm_response(const float *grads, size_t n)
{
    return (struct response){
        .in = {.name = "d_grads", .values = grads, .argument = grads,
               .size = {n}},
        .explain = explain};
}
