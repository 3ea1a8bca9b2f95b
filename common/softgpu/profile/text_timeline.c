/* SPDX-License-Identifier: MIT */
/* The time line in words; the report may be somebody else's text. */
#include <jansson.h>

#include "report.h"

static double member(const json_t *object, const char *key)
{
    const json_int_t n = json_integer_value(json_object_get(object, key));

    return n > 0 ? (double)n : 0;
}

void profile_timeline_text(FILE *out, const struct json_t *timeline,
                           const struct softgpu_card *card)
{
    const json_t *busy = json_object_get(timeline, "busy_ns");
    const double up = member(busy, "to device"), down = member(busy, "to host");
    const double ns = member(timeline, "ns");
    const double until = member(timeline, "until_ns");

    if (up + down <= 0 || ns <= 0)
        return;
    fprintf(out,
            "\nTime line: modelled %.1f us on %s, of which copies to the "
            "device take %.0f %%,\nkernels %.0f %%, copies to the host %.0f "
            "%%; the host queued %.0f calls",
            ns / 1000, card->name, 100 * up / ns,
            100 * member(busy, "kernels") / ns, 100 * down / ns,
            member(timeline, "calls"));
    if (until > 1.1 * ns) /* the card's first work was not at once */
        fprintf(out, ";\nwith the host's code before the first of them it "
                "ends at %.1f us", until / 1000);
    fputc('\n', out);
}
