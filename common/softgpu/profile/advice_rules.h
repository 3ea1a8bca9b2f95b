/* SPDX-License-Identifier: MIT */
/** @file
 *  What the rules of advice share.
 */
#ifndef SOFTGPU_ADVICE_RULES_H
#define SOFTGPU_ADVICE_RULES_H

#include "advice.h"
#include "text_rows.h"

enum { RULES_MOST = 24 /**< sentences before the best are chosen */ };

/** One kernel under examination. */
struct advisor {
    const struct kernel_profile *k;
    const struct softgpu_card *card;
    struct advice list[RULES_MOST]; /**< found so far */
    size_t count;                   /**< of them */
};

/** Modelled microseconds that the cured kernel would save; 0 at least. */
double advice_gain(const struct advisor *a, const struct kernel_profile *cured);

/** What a gain is measured by: the modelled time without the start of the
 *  launches, which a larger problem would hide.  0 when nothing is modelled. */
double advice_work(const struct advisor *a);

/** Add a sentence.
 *
 *  @param a       where to
 *  @param where   the line, or NULL: the kernel
 *  @param gain    microseconds; -1 when the model cannot tell
 *  @param format  the sentence without its full stop; what is gained is added
 */
void advice_add(struct advisor *a, const struct line_profile *where,
                double gain, const char *format, ...) __attribute__((format(printf, 4, 5)));

/** How neighbouring lanes of a sample access lie to each other. */
struct lane_pattern {
    int known;       /**< 1: there is a sample with two neighbouring lanes */
    int64_t stride;  /**< bytes from each lane to the next; 0: not constant */
    int64_t first;   /**< offset of the first active lane */
    uint32_t bytes;  /**< a lane */
    int run;         /**< most lanes in a row without a gap between them */
};

/** The pattern of the line's sample of this kind; known is 0 without one. */
struct lane_pattern advice_pattern(const struct kernel_profile *k,
                                   const struct line_profile *line,
                                   enum access_kind kind);

/** Look at all rows of one or two kinds: what is sick, and what would be
 *  gained if none were. */
struct row_rule {
    enum access_kind kinds[2]; /**< both alike when there is one */
    /** 1 if this row of this line is what the rule is about. */
    int (*sick)(const struct advisor *a, const struct line_profile *line,
                const struct access_row *row);
    /** Write the sentence about the worst row. */
    void (*say)(const struct advisor *a, const struct line_profile *line,
                const struct access_row *row, char *text);
    /** 1: say nothing where it would gain nothing, as of a stencil's edges. */
    int only_gains;
};
/** Apply a rule to all lines; at most one sentence comes of it. */
void advice_rows(struct advisor *a, const struct row_rule *rule);

/** The row of this kind in the counters; requests is 0 without one. */
struct access_row advice_row(const struct counters *c, enum access_kind kind);

/** Rules about memory: coalescing, alignment, traffic, width. */
void advise_global(struct advisor *a);
/** Rules about shared memory, atomics and constants. */
void advise_shared(struct advisor *a);
/** Rules about the launch, divergence, barriers and arithmetic. */
void advise_shape(struct advisor *a);

#endif
