/* SPDX-License-Identifier: MIT */
/* Modeled time of a watched case, scaled up. */
#include "common/softgpu/profile/report.h"
#include "watch.h"

/* A watched case is small and would be dominated by launch latency: it is
 * modeled with 1024 times as many blocks of the same kind. */
enum { BLOCK_SCALE = 1024 };

double scaled_modeled_us(const json_t *report)
{
    struct profile_report profile;
    double us = 0;

    if (profile_report_read(report, &profile))
        return 0;
    for (size_t i = 0; i < profile.count; i++) {
        struct kernel_profile scaled = profile.kernels[i];

        if (scaled.blocks > UINT32_MAX)
            continue; /* invalid */
        scaled.blocks *= BLOCK_SCALE;
        us += model_changed_us(profile.card, &profile.kernels[i], &scaled);
    }
    profile_report_free(&profile);
    return us > 0 ? us : 0;
}
