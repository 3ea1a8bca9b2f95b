/* SPDX-License-Identifier: MIT */
/** @file
 *  Counters as rows of a table, one for each kind of access.
 */
#ifndef SOFTGPU_ACCESS_ROWS_H
#define SOFTGPU_ACCESS_ROWS_H

#include "profile.h"

/** X(kind, label, unit of the transactions) */
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
    X(BRANCH, "branch", "divergent")                \
    X(INSTRUCTION, "instruction", "lanes")

/** The kinds of row, as an enumeration: ACCESS_GLOBAL_LOAD, ... */
enum access_kind {
#define X(kind, label, unit) ACCESS_##kind,
    SOFTGPU_ACCESS_KINDS(X)
#undef X
    ACCESS_KINDS
};

/** The counters of one kind of access, branch or instruction. */
struct access_row {
    enum access_kind kind; /**< of the row */
    const char *what;  /**< label: "global load" */
    const char *unit;  /**< of transactions: "sectors", ...; "": none */
    uint64_t requests; /**< warp instructions; of a barrier, once per block */
    uint64_t transactions; /**< sectors, wavefronts, passes, ... */
    uint64_t ideal;        /**< the least possible number of them */
    double efficiency;     /**< 0 to 1: used bytes / transferred bytes of global
                                memory, else ideal / transactions */
};

/** Turn counters into rows.
 *
 *  Left out are kinds without requests, branches of which less than 1 %
 *  diverge, and instructions with nearly all lanes active.
 *
 *  @param[in]  c     counters of a line or a kernel
 *  @param[out] rows  room for ACCESS_KINDS of them
 *  @return number of rows written */
size_t build_access_rows(const struct counters *c, struct access_row *rows);

/** 1 for a row to be highlighted: efficiency below 80 %, and not ideal. */
static inline int is_inefficient(const struct access_row *row)
{
    return *row->unit && row->efficiency < 0.8
           && row->transactions != row->ideal;
}

/** a / b, or 0 if b is 0. */
static inline double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/** All floating-point operations, special and tensor core ones included. */
double total_flop(const struct counters *c);

/** Average number of active lanes per warp instruction; 0 without one. */
double average_active_lanes(const struct counters *c);

/** Share of the kernel's time that a line costs, 0 to 1.
 *
 *  Each ceiling of the model is divided among the lines by what they add to
 *  it.  A line's cost is the sum over all ceilings, so a line that many units
 *  wait for is hot.  Without a model all kinds of cost have equal weight. */
double line_cost_share(const struct kernel_profile *k,
                       const struct line_profile *l);

/** A ceiling by its name in model_ceilings.
 *  @return microseconds; 0 for an unknown name */
double ceiling_us(const struct kernel_profile *k, const char *name);

#endif
