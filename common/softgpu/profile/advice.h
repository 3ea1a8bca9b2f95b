/* SPDX-License-Identifier: MIT */
/** @file
 *  Advice about a kernel: what limits it, at which line, and a remedy.
 *
 *  Each rule examines counters and access patterns.  The gain of a remedy is
 *  predicted by the model: the kernel's counters are copied, changed as the
 *  remedy would change them, and modeled again.
 */
#ifndef SOFTGPU_ADVICE_H
#define SOFTGPU_ADVICE_H

#include "profile.h"

enum {
    MAX_ADVICE = 3,     /**< pieces of advice per kernel */
    ADVICE_BYTES = 480, /**< of a text */
};

/** One piece of advice. */
struct advice {
    double gain;             /**< modeled microseconds saved; -1: not known */
    const char *file;        /**< NULL: the kernel as a whole */
    int line;                /**< 0: the kernel as a whole */
    /** 1: listed last, whatever the gain; -1: listed first, a warning that
     *  the counters are not those of a GPU */
    int order;
    char text[ADVICE_BYTES]; /**< without the place; ends with a full stop */
};

/** Generate the advice for a kernel.
 *
 *  @param[in]  k     its profile; `file` of the advice points into it
 *  @param[in]  card  the GPU that it was modeled for
 *  @param[out] out   MAX_ADVICE entries.  The largest gain comes first after
 *                    warnings, a problem that is too small last.  If
 *                    fewer rules apply, one more entry names the limiter.
 *  @return number of entries written; 0 where nothing was counted */
size_t advise(const struct kernel_profile *k, const struct softgpu_card *card,
              struct advice *out);

#endif
