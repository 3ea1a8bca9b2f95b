/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 15: update parameters with gradients.  The contract is in
 *  optimizers.h. */
#include <math.h>

#include "grid.h"
#include "optimizers.h"

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES }; /* a block */

/** 0 <= x < 1. */
static inline bool is_in_unit_interval(float x)
{
    return x >= 0 && x < 1;
}

/** Are all values in their ranges? */
static inline bool is_valid_sgd(const struct update *u,
                                const struct sgd *config)
{
    return is_in_unit_interval(config->momentum) && config->weight_decay >= 0
           && u->decay_count <= u->n
           && (!config->nesterov || config->momentum > 0);
}

/** Are all values in their ranges? */
static inline bool is_valid_adam(const struct update *u,
                                 const struct adam *config)
{
    return is_in_unit_interval(config->beta1)
           && is_in_unit_interval(config->beta2) && config->epsilon > 0
           && config->weight_decay >= 0 && u->decay_count <= u->n;
}

/** The scale of all gradients. */
__device__ static inline float scale_of(const struct update &u)
{
    return u.d_scale ? *u.d_scale : 1;
}

/** 1 - beta^step.  For small steps the power is near 1, and the subtraction
 *  would lose precision; expm1 keeps it. */
__device__ static inline float bias_correction(float beta, int step)
{
    return -expm1f((float)step * log1pf(beta - 1));
}

int schedule_next_step(const struct schedule *config, int *d_step,
                       float *d_learning_rate)
{
    if (config->warmup_steps < 0
        || (config->kind == SCHEDULE_STEP
            && !(config->step_size > 0 && config->factor > 0
                 && config->factor <= 1))
        || (config->kind == SCHEDULE_COSINE
            && config->total_steps <= config->warmup_steps))
        return cudaErrorInvalidValue;
    /* TODO 6: a kernel with one thread: the step number is on the device */
    return cudaErrorNotSupported;
}

int sgd_step(const struct update *u, const struct sgd *config)
{
    if (!is_valid_sgd(u, config)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    /* TODO 1: a kernel with one parameter per thread: gradient scale, weight
     * decay, learning rate */
    /* TODO 2: momentum, then Nesterov momentum */
    return cudaErrorNotSupported;
}

int adam_step(const struct update *u, const struct adam *config)
{
    if (!is_valid_adam(u, config)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    /* TODO 3: both moments, corrected with bias_correction() */
    /* TODO 4: weight decay, through the gradient or decoupled */
    return cudaErrorNotSupported;
}

int clip_grad_norm(const float *d_grads, size_t n, float max_norm,
                   float *d_norm, float *d_work)
{
    if (!(max_norm > 0)) return cudaErrorInvalidValue;
    /* TODO 5: lab 04's sum, of squares; one thread computes norm and scale,
     * and checks isfinite() */
    return cudaErrorNotSupported;
}
