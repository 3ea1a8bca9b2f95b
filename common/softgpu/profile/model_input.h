/* SPDX-License-Identifier: MIT */
/** @file
 *  What the formulas of the model share: their inputs, and instructions that a
 *  GPU would execute.  model.c has the ceilings, model_latency.c that of the
 *  latency.
 */
#ifndef SOFTGPU_MODEL_INPUT_H
#define SOFTGPU_MODEL_INPUT_H

#include "occupancy.h"

#define WARP 32.0 /**< lanes */

/** Inputs of the formulas. */
struct model_input {
    const struct softgpu_card *card; /**< the GPU */
    const struct counters *c; /**< of the sampled blocks */
    double sampled_blocks;    /**< blocks that were counted */
    double scale;     /**< launched blocks per sampled block */
    double warps;     /**< per block */
    double sm_blocks; /**< that the busiest SM executes in sequence */
    double waves;     /**< of resident blocks, the last one rounded up: the
                           tail effect */
    double clock;     /**< cycles per microsecond */
    double together;  /**< blocks that an SM holds at a time */
};

/** The larger one. */
static inline double max_double(double a, double b)
{
    return a > b ? a : b;
}

/** x, but at least `low` and at most `high`. */
static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/** Shared loads after nvcc has merged neighboring words into vector loads. */
static inline double shared_load_instructions(const struct counters *c)
{
    return max_double(
        (double)c->shared_load_requests - (double)c->shared_load_joined, 0);
}

/** Loads whose result is a register.  An asynchronous copy is issued once, as
 *  its shared store. */
static inline double register_loads(const struct counters *c)
{
    return max_double(
        (double)c->global_load_requests - (double)c->global_load_async, 0);
}

/** Issue slots of the sampled blocks (model.c). */
double model_issue_slots(const struct model_input *in);
/** Cycles of a warp that runs alone, from its first to its last instruction:
 *  the longer of own + together and copies. */
struct warp_latency {
    double own;      /**< what the warps of a block hide from each other:
                          arithmetic, shared loads, and without barriers loads */
    double together; /**< what all of them wait for */
    double copies;   /**< asynchronous ones that no barrier waits for */
};

/** The latency of a kernel's warps (model_latency.c). */
struct warp_latency model_warp_latency(const struct model_input *in);
/** Time of a closed network of one unit and a delay (model_network.c).
 *
 *  @param delay      of a customer, in the unit of the result
 *  @param work       of the unit, for all customers together
 *  @param customers  1 or more; work / customers is the service of one
 *  @return the time from the first to the last of the work */
double model_closed_network(double delay, double work, double customers);

#endif
