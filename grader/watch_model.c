/* SPDX-License-Identifier: MIT */
/* A modelled time of a watched case, as if it were large. */
#include "common/softgpu/profile/report.h"
#include "watch.h"

/* A watched case is small, and its launch would take most of the time: it is
 * modelled as one of a thousand times as many blocks of the same kind. */
enum { GROW = 1024 };

double watch_modelled_us(const json_t *report)
{
    struct profile_report profile;
    double us = 0;

    if (profile_read(report, &profile))
        return 0;
    for (size_t i = 0; i < profile.count; i++) {
        struct kernel_profile *kernel = &profile.kernels[i];

        if (kernel->blocks > UINT32_MAX)
            continue; /* no true count */
        kernel->blocks *= GROW;
        model_kernel(profile.card, kernel);
        us += kernel->model.us;
    }
    profile_forget(&profile);
    return us > 0 ? us : 0;
}
