/* SPDX-License-Identifier: MIT */
/** @file
 *  Three sentences about a kernel: what makes it slow, at which line, and what
 *  would cure it.
 *
 *  Each rule looks at counters and at the sample accesses.  What a cure would
 *  gain is asked of the model: the kernel's counters are copied, changed as
 *  the cure would change them, and timed again.
 */
#ifndef SOFTGPU_ADVICE_H
#define SOFTGPU_ADVICE_H

#include "profile.h"

enum {
    ADVICE_MOST = 3,    /**< sentences a kernel */
    ADVICE_BYTES = 480, /**< of a sentence */
};

/** One sentence. */
struct advice {
    double gain;      /**< modelled microseconds saved; -1: not known */
    const char *file; /**< where; NULL: the kernel as a whole */
    int line;         /**< 0: the kernel as a whole */
    int late;         /**< 1: told after the others, whatever it gains */
    char text[ADVICE_BYTES]; /**< without the place; ends with a full stop */
};

/** Say what to do about a kernel.
 *
 *  @param[in]  k     its profile; strings in it are pointed at
 *  @param[in]  card  the card it was modelled for
 *  @param[out] out  ADVICE_MOST sentences, the largest gain first, behind them
 *                    what lies with a small problem; where fewer things are
 *                    wrong, the next says what limits it now
 *  @return how many were written, at least 1
 */
size_t advise(const struct kernel_profile *k, const struct softgpu_card *card,
              struct advice *out);

#endif
