/* SPDX-License-Identifier: MIT */
/* Of which element of an input is each output element made?  Each element of
 * the input tells its index, and those of the other input are 0. */
#include <stdlib.h>

#include "response.h"

enum { MOST = 1 << 24 }; /* whole numbers that a float holds */

bool response_sources(const struct evidence *evidence, bool of_by,
                      response_call *call, void *context, size_t *source)
{
    const struct response *r = evidence->expected->response;
    const size_t n = response_count(of_by ? &r->by : &r->in);
    const size_t others = r->by.name ? response_count(of_by ? &r->in : &r->by)
                                     : 0;
    const size_t outputs = evidence_count(evidence);
    float *values = malloc((n + 1) * sizeof *values);
    float *zeros = calloc(others + 1, sizeof *zeros);
    double *out = malloc((outputs + 1) * sizeof *out);
    bool ok = values && zeros && out && n < MOST;

    for (size_t i = 0; ok && i < n; i++)
        values[i] = (float)(i + 1);
    ok = ok && call(context, of_by ? zeros : values, of_by ? values : zeros,
                    out);
    for (size_t i = 0; ok && i < outputs; i++) {
        const bool is_index = out[i] >= 1 && out[i] <= (double)n
                              && out[i] == (double)(size_t)out[i];

        source[i] = is_index ? (size_t)out[i] - 1 : RESPONSE_NONE;
    }
    free(values);
    free(zeros);
    free(out);
    return ok;
}
