/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  What every step of lab 15 shares: ranges, and the rules of one element. */
#ifndef OPTIMIZERS_RULES_H
#define OPTIMIZERS_RULES_H

// END SOLUTION
#include <math.h>

#include "grid.h"
#include "optimizers.h"

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES }; /* a block */

/** 0 <= x < 1. */
static inline bool is_share(float x)
{
    return x >= 0 && x < 1;
}

/** Do the numbers make sense? */
static inline bool sgd_ok(const struct update *u, const struct sgd *how)
{
    return is_share(how->momentum) && how->weight_decay >= 0
           && u->decayed <= u->n && (!how->nesterov || how->momentum > 0);
}

/** Do the numbers make sense? */
static inline bool adam_ok(const struct update *u, const struct adam *how)
{
    return is_share(how->beta1) && is_share(how->beta2) && how->epsilon > 0
           && how->weight_decay >= 0 && u->decayed <= u->n;
}

/** The factor of all gradients. */
__device__ static inline float scale_of(const struct update &u)
{
    return u.d_scale ? *u.d_scale : 1;
}

/** 1 - beta^step, with all digits for small steps too, where the power alone
 *  has lost them. */
__device__ static inline float bias_of(float beta, int step)
{
    return -expm1f((float)step * log1pf(beta - 1));
}
// BEGIN SOLUTION

/** What weight decay adds to gradient i. */
__device__ static inline float decay_of(const struct update &u, size_t i,
                                        float weight_decay, float param)
{
    return i < u.decayed ? weight_decay * param : 0;
}

/** What all parameters have in common in a step of Adam. */
struct adam_now {
    float rate;   /**< of this step */
    float first;  /**< 1 / (1 - beta1^t) */
    float second; /**< 1 / (1 - beta2^t) */
};

/** The powers, once for each thread. */
__device__ static inline struct adam_now now(const struct update &u,
                                             const struct adam &how)
{
    struct adam_now made = {*u.d_rate, 1 / bias_of(how.beta1, *u.d_step),
                            1 / bias_of(how.beta2, *u.d_step)};
    return made;
}

/** SGD of one parameter.  @return its new value; *velocity likewise */
__device__ static inline float sgd_one(float param, float grad,
                                       float *velocity, const struct sgd &how,
                                       float rate)
{
    if (how.momentum > 0) {
        *velocity = how.momentum * *velocity + grad;
        grad = how.nesterov ? grad + how.momentum * *velocity : *velocity;
    }
    return param - rate * grad;
}

/** The last line of Adam. */
__device__ static inline float adam_move(float param, float first,
                                         float second, const struct adam &how,
                                         const struct adam_now &at)
{
    return param
           - at.rate * (first * at.first)
                 / (sqrtf(second * at.second) + how.epsilon);
}

/** Adam of one parameter, number i.  @return its new value; both moments are
 *  replaced */
__device__ static inline float adam_one(float param, float grad, float *first,
                                        float *second, float decay,
                                        const struct adam &how,
                                        const struct adam_now &at)
{
    if (!how.decoupled) grad += decay;
    *first = how.beta1 * *first + (1 - how.beta1) * grad;
    *second = how.beta2 * *second + (1 - how.beta2) * grad * grad;
    if (how.decoupled) param -= at.rate * decay;
    return adam_move(param, *first, *second, how, at);
}

/** The rate of a step. */
__device__ static inline float rate_of(const struct schedule &how, int step)
{
    if (step <= how.warmup) return how.rate * step / how.warmup;
    if (how.kind == SCHEDULE_STEPS)
        return how.rate * powf(how.factor, (float)((step - 1) / how.every));
    if (how.kind == SCHEDULE_CONSTANT) return how.rate;
    if (step >= how.total) return how.least;
    float share = (float)(step - how.warmup) / (how.total - how.warmup);
    return how.least + (how.rate - how.least) * (1 + cospif(share)) / 2;
}

/** One thread: nothing to share. */
__global__ void advance(struct schedule how, int *step, float *rate)
{
    *step += 1;
    *rate = rate_of(how, *step);
}

// END SOLUTION
int next_step(const struct schedule *how, int *d_step, float *d_rate)
{
    if (how->warmup < 0
        || (how->kind == SCHEDULE_STEPS
            && !(how->every > 0 && how->factor > 0 && how->factor <= 1))
        || (how->kind == SCHEDULE_COSINE && how->total <= how->warmup))
        return cudaErrorInvalidValue;
// BEGIN SOLUTION
    advance<<<1, 1>>>(*how, d_step, d_rate);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 6: a kernel of one thread: the number lies on the device */
//     return cudaErrorNotSupported;
// END SOLUTION
}
// BEGIN SOLUTION

/** Norm and scale from the sum of squares.  One thread. */
__device__ static inline void put_norm(float *norm, float squares, float most)
{
    float value = sqrtf(squares);

    norm[0] = value;
    norm[1] = !isfinite(value) ? NAN : value > most ? most / value : 1;
}

#endif
// END SOLUTION
