/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 15, the contract: update the parameters of a network with its gradients.
 *
 *  All parameters are in one flat buffer.  Their gradients and the state of the
 *  optimizer are in buffers of the same length, so that one launch updates all
 *  parameters.  Buffers are float32 in device memory, aligned to 16 bytes, and
 *  do not overlap.
 *
 *  Values that change from step to step (step number, learning rate, gradient
 *  scale) are read from device memory, so a captured graph can be replayed.
 *  The functions use the default stream, allocate nothing, copy nothing to the
 *  host, do not synchronize, and may be captured into a graph.  They return
 *  cudaSuccess, the error of a launch, or, before anything is written,
 *  cudaErrorInvalidValue for values outside the ranges given here.
 *
 *  Deterministic: the same inputs give the same bits.
 */
#ifndef OPTIMIZERS_H
#define OPTIMIZERS_H

#include <stddef.h>

#ifdef __cplusplus
#include "former_names.h"
extern "C" {
#endif

/** The arrays of an optimizer step. */
struct update {
    float *d_params;      /**< n parameters; updated */
    const float *d_grads; /**< n gradients; unchanged */
    float *d_moment1; /**< n velocities, or first moments; updated, initially
                           0.  Plain SGD does not use it: may be NULL */
    float *d_moment2; /**< n second moments, likewise; Adam only */
    size_t n;         /**< elements; with 0 there is no launch */
    union {
        size_t decay_count; /**< weight decay applies to this many parameters,
                                 from the first on (weights before biases); at
                                 most n */
        size_t decayed; /**< former name */
    };
    const float *d_learning_rate; /**< 1 float */
    const float *d_scale; /**< 1 float: scale of all gradients; NULL: 1.  If it
                               is NaN, the step changes nothing */
    const int *d_step; /**< 1 int: number of this step, from 1; Adam only */
};

/** Parameters of stochastic gradient descent. */
struct sgd {
    float momentum;     /**< 0 <= momentum < 1 */
    float weight_decay; /**< at least 0 */
    int nesterov;       /**< 1: Nesterov momentum; needs momentum > 0 */
};

/** Parameters of Adam and AdamW. */
struct adam {
    float beta1;        /**< 0 <= beta1 < 1 */
    float beta2;        /**< 0 <= beta2 < 1 */
    float epsilon;      /**< above 0 */
    float weight_decay; /**< at least 0 */
    int decoupled;      /**< 1: decoupled weight decay (AdamW) */
};

/** Kind of learning-rate schedule. */
enum schedule_kind {
    SCHEDULE_CONSTANT, /**< always `rate` */
    SCHEDULE_STEP,     /**< multiplied by `factor` every `step_size` steps */
    SCHEDULE_COSINE    /**< falls to `min_rate` in step `total_steps`, and then
                            stays there */
};

/** A learning-rate schedule. */
struct schedule {
    int kind;         /**< an enum schedule_kind */
    float rate;       /**< largest learning rate */
    union {
        int warmup_steps; /**< at least 0: steps 1 to warmup_steps have the
                               learning rate `rate * step / warmup_steps` */
        int warmup; /**< former name */
    };
    union {
        int step_size;    /**< steps between two decreases, at least 1 */
        int every; /**< former name */
    };
    float factor;     /**< of each decrease, 0 < factor <= 1 */
    union {
        int total_steps;  /**< last step of the cosine, above warmup_steps;
                               not used by the other kinds */
        int total; /**< former name */
    };
    union {
        float min_rate;   /**< learning rate at the end of the cosine */
        float least; /**< former name */
    };
};

/** Floats in the workspace of clip_grad_norm for n elements. */
#define CLIP_WORKSPACE(n) ((n) / 128 + 64)

/** One step of SGD, for each parameter p with gradient g:
 *
 *      g = scale * g + weight_decay * p      (the decay if i < decay_count)
 *      v = momentum * v + g                  (if momentum > 0)
 *      p = p - rate * (v, or nesterov: g + momentum * v, or without: g)
 *
 *  The error of each result is at most 8 roundings of the magnitudes of its
 *  terms.  Budget: 1 launch; each buffer is loaded once and stored once.
 *  @param[in] u       arrays of the step
 *  @param[in] config  parameters of SGD */
int sgd_step(const struct update *u, const struct sgd *config);

/** One step of Adam (Kingma and Ba, 2015), step number t:
 *
 *      g = scale * g + weight_decay * p   (not if decoupled; i < decay_count)
 *      m = beta1 * m + (1 - beta1) * g
 *      v = beta2 * v + (1 - beta2) * g * g
 *      p = p - rate * weight_decay * p    (if decoupled; i < decay_count)
 *      p = p - rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
 *
 *  The relative error of the last term is at most 2^-13 (the powers); all other
 *  errors as in sgd_step(), where a term of m or v may be that of
 *  m + (1 - beta1) * (g - m).
 *  Budget: 1 launch; each buffer is loaded once and stored once.
 *  @param[in] u       arrays of the step
 *  @param[in] config  parameters of Adam */
int adam_step(const struct update *u, const struct adam *config);

/** Compute the norm of all gradients, the square root of the sum of their
 *  squares, and the gradient scale that clips it to `max_norm`.
 *
 *  The relative error is at most (64 + log2 n) * 2^-23, unless squares
 *  underflow: what a float cannot hold may count as 0.  If the norm is not
 *  finite (a NaN or an infinity in the gradients, or squares that overflow),
 *  the scale is NaN, so that the next step changes nothing.  Squares may
 *  overflow as floats do; in double they need not.  Budget: n / 8 sectors
 *  loaded once.
 *  @param[in]  d_grads   device, n gradients
 *  @param      n         elements; with 0 the norm is 0
 *  @param      max_norm  above 0; INFINITY never clips
 *  @param[out] d_norm    device, 2 floats: the norm, and the scale:
 *                        max_norm / norm if the norm is above max_norm, else 1
 *  @param[out] d_work    device, CLIP_WORKSPACE(n) floats for any use; contents
 *                        before and after are undefined */
int clip_grad_norm(const float *d_grads, size_t n, float max_norm,
                   float *d_norm, float *d_work);

/** Advance the schedule: increment the step number, and set the learning rate
 *  for it, with an error of at most 32 * 2^-24 of the largest learning rate.
 *
 *  During the warm-up nothing else applies.  After it, the learning rate has
 *  been decreased once for each `step_size` steps made before, including those
 *  of the warm-up: step s, from 1, has
 *  rate * factor^floor((s - 1) / step_size).  Or it follows the cosine, which
 *  starts at the end of the warm-up.
 *  @param[in]     config  the schedule
 *  @param[in,out] d_step  device, 1 int: steps made; 0 before the first
 *  @param[out]    d_learning_rate  device, 1 float, for the next step */
int schedule_next_step(const struct schedule *config, int *d_step,
                       float *d_learning_rate);

#ifdef __cplusplus
}
#endif

#endif
