/* SPDX-License-Identifier: MIT */
/** @file
 *  Functions and types that the rules of the advice share.
 */
#ifndef SOFTGPU_ADVICE_RULES_H
#define SOFTGPU_ADVICE_RULES_H

#include "access_rows.h"
#include "advice.h"

enum { MAX_CANDIDATES = 24 /**< advice before the best is chosen */ };

/** The kernel that is examined, and the advice so far. */
struct advisor {
    const struct kernel_profile *k;  /**< the kernel */
    const struct softgpu_card *card; /**< that it was modeled for */
    struct advice list[MAX_CANDIDATES]; /**< unsorted */
    size_t count; /**< of list */
};

/** Time that a remedy would save.
 *  @param a         the kernel
 *  @param improved  a copy of it with the counters that the remedy would give
 *  @return modeled microseconds, at least 0 */
double advice_gain(const struct advisor *a,
                   const struct kernel_profile *improved);

/** The time that gains are compared with: the modeled time without launch
 *  overhead, which a larger problem would hide.
 *  @return microseconds; 0 when nothing is modeled */
double advice_work(const struct advisor *a);

/** Add a piece of advice; dropped when there are MAX_CANDIDATES already.
 *
 *  @param a       the kernel
 *  @param where   its line; NULL: the kernel as a whole
 *  @param gain    microseconds; -1 when the model cannot predict it
 *  @param format  the text without full stop; the gain is appended */
void advice_add(struct advisor *a, const struct line_profile *where,
                double gain, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** How the addresses of neighboring lanes differ. */
struct lane_stride {
    int known;      /**< 1: a pattern has two neighboring active lanes */
    int64_t stride; /**< bytes from each lane to the next; 0: not constant */
    int64_t first;  /**< offset of the first active lane */
    uint32_t bytes; /**< per lane */
    int run;        /**< most neighboring lanes with consecutive addresses */
};

/** The stride of a line's access pattern of this kind; known is 0 if it has
 *  none. */
struct lane_stride advice_lane_stride(const struct kernel_profile *k,
                                      const struct line_profile *line,
                                      enum access_kind kind);
/** Do accesses of this stride (bytes, above 0) reach more than one place of
 *  each step?  Then these are fields of a struct. */
int advice_has_fields(const struct kernel_profile *k, int64_t stride);

/** A rule about rows of one or two kinds: which rows are affected, and the
 *  gain if none were. */
struct advice_rule {
    enum access_kind kinds[2]; /**< the same twice for one kind */
    /** 1 if the rule applies to this row of this line. */
    int (*is_affected)(const struct advisor *a, const struct line_profile *line,
                       const struct access_row *row);
    /** Write the text about the worst row, at most ADVICE_BYTES. */
    void (*write_sentence)(const struct advisor *a,
                           const struct line_profile *line,
                           const struct access_row *row, char *text);
    /** 1: no advice without a gain, as for the edges of a stencil. */
    int gain_required;
};
/** Apply a rule to all lines; adds at most one piece of advice. */
void advice_apply_rule(struct advisor *a, const struct advice_rule *rule);

/** The row of this kind; its requests are 0 if there is none. */
struct access_row advice_access_row(const struct counters *c,
                                    enum access_kind kind);

/** Apply the rules about global memory: coalescing, alignment, reuse, vector
 *  accesses. */
void advise_global(struct advisor *a);
/** Warn of accesses that nvcc splits: their counters are not a GPU's. */
void advise_splits(struct advisor *a);
/** Apply the rules about shared memory, atomics and constants. */
void advise_shared(struct advisor *a);
/** Apply the rules about launch configuration, divergence, barriers and
 *  arithmetic. */
void advise_launch_shape(struct advisor *a);

#endif
