/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 15: from gradients to better parameters.  The contract is in
 *  optimizers.h. */
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
int next_step(const struct schedule *how, int *d_step, float *d_rate)
{
    if (how->warmup < 0
        || (how->kind == SCHEDULE_STEPS
            && !(how->every > 0 && how->factor > 0 && how->factor <= 1))
        || (how->kind == SCHEDULE_COSINE && how->total <= how->warmup))
        return cudaErrorInvalidValue;
    /* TODO 6: a kernel of one thread: the number lies on the device */
    return cudaErrorNotSupported;
}

int sgd_step(const struct update *u, const struct sgd *how)
{
    if (!sgd_ok(u, how)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    /* TODO 1: a kernel, a thread a parameter: scale, decay, rate */
    /* TODO 2: momentum, and Nesterov's */
    return cudaErrorNotSupported;
}

int adam_step(const struct update *u, const struct adam *how)
{
    if (!adam_ok(u, how)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    /* TODO 3: both moments, and bias_of() for their correction */
    /* TODO 4: weight decay, through the gradient or decoupled */
    return cudaErrorNotSupported;
}

int clip_norm(const float *d_grads, size_t n, float most, float *d_norm,
              float *d_work)
{
    if (!(most > 0)) return cudaErrorInvalidValue;
    /* TODO 5: lab 04's sum, of squares; norm and scale by one thread, which
     * asks isfinite() */
    return cudaErrorNotSupported;
}
