/* SPDX-License-Identifier: MIT */
/** @file
 *  Counters turned into rows that can be shown and judged: one for each kind
 *  of access, all of one form.
 */
#ifndef SOFTGPU_TEXT_ROWS_H
#define SOFTGPU_TEXT_ROWS_H

#include "profile.h"

/** X(kind, words, what its `moved` counts) */
#define SOFTGPU_ACCESS_KINDS(X)                     \
    X(GLOBAL_LOAD, "global load", "sectors")        \
    X(GLOBAL_STORE, "global store", "sectors")      \
    X(GLOBAL_ATOMIC, "global atomic", "passes")     \
    X(SHARED_LOAD, "shared load", "wavefronts")     \
    X(SHARED_STORE, "shared store", "wavefronts")   \
    X(SHARED_ATOMIC, "shared atomic", "passes")     \
    X(CONSTANT_LOAD, "constant load", "passes")     \
    X(LOCAL_ACCESS, "local access", "")             \
    X(BARRIER, "barrier", "")                       \
    X(BRANCH, "branch", "parted")                   \
    X(INSTRUCTION, "instruction", "lanes")

/** The kinds of row, as an enumeration: ACCESS_GLOBAL_LOAD, ... */
enum access_kind {
#define X(kind, words, unit) ACCESS_##kind,
    SOFTGPU_ACCESS_KINDS(X)
#undef X
    ACCESS_KINDS
};

/** One kind of access, or another thing that a warp does. */
struct access_row {
    enum access_kind kind;
    const char *what;  /**< "global load" */
    const char *unit;  /**< what `moved` counts: "sectors", "wavefronts", ... */
    uint64_t requests; /**< warp instructions; of a barrier, once a block */
    uint64_t moved;    /**< sectors, wavefronts, passes, ... */
    uint64_t ideal;    /**< the best they could have been */
    double used;       /**< 0..1, share of what was moved that was wanted */
};

/** Turn counters into rows; kinds that did not happen are left out, and so are
 *  branches of which less than 1 % part and instructions of nearly whole warps.
 *  @param[out] rows  ACCESS_KINDS of them
 *  @return how many were written */
size_t access_rows(const struct counters *c, struct access_row *rows);

/** 1 for a row to be marked: a fifth or more is wasted, and needlessly. */
static inline int is_wasteful(const struct access_row *row)
{
    return *row->unit && row->used < 0.8 && row->moved != row->ideal;
}

/** a / b, or 0 where b is 0. */
static inline double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/** All floating-point operations, special ones and matrices included. */
double all_flop(const struct counters *c);

/** Lanes that took part in an instruction on average; 0 if none was seen. */
double lanes_an_instruction(const struct counters *c);

/** Share of the kernel's cost that falls on a line, 0..1.
 *
 *  Each ceiling of the model is shared out among the lines by what they add to
 *  it; a line's cost is the sum of its shares, so that a line which many
 *  ceilings wait for is hot.  Kernels without a model count all kinds alike.
 */
double line_share(const struct kernel_profile *k, const struct line_profile *l);

/** Microseconds of a ceiling by its name in model_ceilings; 0 if unknown. */
double ceiling_us(const struct kernel_profile *k, const char *name);

#endif
