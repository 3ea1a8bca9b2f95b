/* SPDX-License-Identifier: MIT */
/** @file
 *  What all steps of lab 15 share: checks of the ranges, and the update rules
 *  for one parameter. */
#ifndef OPTIMIZERS_UPDATE_RULES_H
#define OPTIMIZERS_UPDATE_RULES_H

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

/** The weight decay of parameter i. */
__device__ static inline float weight_decay_term(const struct update &u,
                                                 size_t i, float weight_decay,
                                                 float param)
{
    return i < u.decay_count ? weight_decay * param : 0;
}

/** Values that are the same for all parameters in a step of Adam. */
struct adam_factors {
    float rate;   /**< learning rate of this step */
    float first;  /**< 1 / (1 - beta1^t) */
    float second; /**< 1 / (1 - beta2^t) */
};

/** Compute the powers, once per thread. */
__device__ static inline struct adam_factors
get_adam_factors(const struct update &u, const struct adam &config)
{
    struct adam_factors made = {*u.d_learning_rate,
                                1 / bias_correction(config.beta1, *u.d_step),
                                1 / bias_correction(config.beta2, *u.d_step)};
    return made;
}

/** SGD of one parameter.
 *  @return  its new value; *velocity is updated */
__device__ static inline float sgd_update_param(float param, float grad,
                                                float *velocity,
                                                const struct sgd &config,
                                                float rate)
{
    if (config.momentum > 0) {
        *velocity = config.momentum * *velocity + grad;
        grad = config.nesterov ? grad + config.momentum * *velocity : *velocity;
    }
    return param - rate * grad;
}

/** The last line of Adam. */
__device__ static inline float adam_update_param(float param, float first,
                                                 float second,
                                                 const struct adam &config,
                                                 const struct adam_factors &at)
{
    return param
           - at.rate * (first * at.first)
                 / (sqrtf(second * at.second) + config.epsilon);
}

/** Adam of one parameter.
 *  @return  its new value; both moments are updated */
__device__ static inline float adam_step_param(float param, float grad,
                                               float *first, float *second,
                                               float decay,
                                               const struct adam &config,
                                               const struct adam_factors &at)
{
    if (!config.decoupled) grad += decay;
    *first = config.beta1 * *first + (1 - config.beta1) * grad;
    *second = config.beta2 * *second + (1 - config.beta2) * grad * grad;
    if (config.decoupled) param -= at.rate * decay;
    return adam_update_param(param, *first, *second, config, at);
}

/** The learning rate of a step. */
__device__ static inline float scheduled_rate(const struct schedule &config,
                                              int step)
{
    if (step <= config.warmup_steps)
        return config.rate * step / config.warmup_steps;
    if (config.kind == SCHEDULE_STEP)
        return config.rate
               * powf(config.factor, (float)((step - 1) / config.step_size));
    if (config.kind == SCHEDULE_CONSTANT) return config.rate;
    if (step >= config.total_steps) return config.min_rate;
    float progress = (float)(step - config.warmup_steps)
                     / (config.total_steps - config.warmup_steps);
    return config.min_rate
           + (config.rate - config.min_rate) * (1 + cospif(progress)) / 2;
}

/** A kernel with one thread: there is only one value to compute. */
__global__ void advance_schedule(struct schedule config, int *step, float *rate)
{
    *step += 1;
    *rate = scheduled_rate(config, *step);
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
    advance_schedule<<<1, 1>>>(*config, d_step, d_learning_rate);
    return CUDA_CHECK(cudaGetLastError());
}

/** Store norm and scale, computed from the sum of squares.  One thread calls
 *  it. */
__device__ static inline void store_norm(float *norm, float squares,
                                         float max_norm)
{
    float value = sqrtf(squares);

    norm[0] = value;
    norm[1] = !isfinite(value) ? NAN : value > max_norm ? max_norm / value : 1;
}

#endif
