/* SPDX-License-Identifier: MIT */
/* A summary of the timeline as text; the report may be malicious. */
#include "common/base/json_member.h"
#include "report.h"
#include "text_wrap.h"

void profile_print_timeline(FILE *out, const struct json_t *timeline,
                            const struct softgpu_card *card, int columns)
{
    char text[512];
    int used;
    const json_t *busy = json_object_get(timeline, "busy_ns");
    const double up = member_number(busy, "to device"),
                 down = member_number(busy, "to host");
    const double ns = member_number(timeline, "ns");
    const double until = member_number(timeline, "until_ns");

    if (up + down <= 0 || ns <= 0)
        return;
    used = snprintf(text, sizeof text, "Timeline: modeled %.1f us on %s: copies "
                    "to the device take %.0f %%, kernels %.0f %%, copies to the "
                    "host %.0f %%; the host queued %.0f calls", ns / 1000,
                    card->name, 100 * up / ns,
                    100 * member_number(busy, "kernels") / ns, 100 * down / ns,
                    member_number(timeline, "calls"));
    /* host code ran before the first work of the GPU */
    if (until > 1.1 * ns && used > 0 && (size_t)used < sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, "; with the host "
                 "code before the first one it ends at %.1f us", until / 1000);
    fputc('\n', out);
    profile_print_wrapped(out, "", text, columns);
}
