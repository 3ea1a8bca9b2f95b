/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 15, the contract: from gradients to better parameters.
 *
 *  All parameters of a network lie in one flat buffer, their gradients and
 *  what an optimiser remembers in buffers of the same length: one launch moves
 *  them all.  Buffers are float32 in device memory, begin at a multiple of 16
 *  bytes and do not overlap.
 *
 *  What changes from step to step (number, rate, scale) is read from device
 *  memory, so a captured graph can be replayed.  Each function works on the
 *  default stream, allocates nothing, brings nothing to the host, waits for
 *  nothing, and may be captured.  Returned is cudaSuccess, the error of a
 *  launch, or, before anything is written, cudaErrorInvalidValue for numbers
 *  outside of the ranges given.
 *
 *  Same inputs, same bits.
 */
#ifndef OPTIMIZERS_H
#define OPTIMIZERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a step works on. */
struct update {
    float *d_params;      /**< n parameters; replaced */
    const float *d_grads; /**< n gradients; unchanged */
    float *d_first;  /**< n velocities, or first moments; replaced, begin as 0.
                          Plain SGD touches none: may be NULL */
    float *d_second; /**< n second moments, likewise; Adam only */
    size_t n;        /**< elements; 0 launches nothing */
    size_t decayed;  /**< weight decay is for the first so many of them (weights
                          before biases); at most n */
    const float *d_rate;  /**< 1 float: learning rate */
    const float *d_scale; /**< 1 float: factor of all gradients; NULL: 1.  When
                               it is NaN the step changes nothing */
    const int *d_step;    /**< 1 int: number of this step, from 1; Adam only */
};

/** Stochastic gradient descent. */
struct sgd {
    float momentum;     /**< 0 <= momentum < 1 */
    float weight_decay; /**< at least 0 */
    int nesterov;       /**< 1: look ahead; needs a momentum above 0 */
};

/** Adam, and AdamW. */
struct adam {
    float beta1;        /**< 0 <= beta1 < 1 */
    float beta2;        /**< 0 <= beta2 < 1 */
    float epsilon;      /**< above 0 */
    float weight_decay; /**< at least 0 */
    int decoupled;      /**< 1: decay the parameter, not through the gradient */
};

/** How a learning rate goes on. */
enum schedule_kind {
    SCHEDULE_CONSTANT, /**< always rate */
    SCHEDULE_STEPS,    /**< times factor after each `every` steps */
    SCHEDULE_COSINE    /**< down to `least` at step `total`, and stay there */
};

/** A learning rate over the steps. */
struct schedule {
    int kind;     /**< an enum schedule_kind */
    float rate;   /**< highest */
    int warmup;   /**< steps 1 to warmup climb: rate * step / warmup; from 0 */
    int every;    /**< steps from drop to drop, at least 1 */
    float factor; /**< at each drop, 0 < factor <= 1 */
    int total;    /**< last step of the cosine, above warmup */
    float least;  /**< rate there */
};

/** Floats that the work space of clip_norm for n elements has. */
#define CLIP_WORK(n) ((n) / 128 + 64)

/** One step of SGD, of each parameter p with gradient g:
 *
 *      g = scale * g + weight_decay * p      (the decay if i < decayed)
 *      v = momentum * v + g                  (if momentum > 0)
 *      p = p - rate * (v, or nesterov: g + momentum * v, or without: g)
 *
 *  Each result is within 8 roundings of the magnitudes added up in it.
 *  Budget: 1 launch; each buffer read once and written once.
 *  @param[in] u    see there
 *  @param[in] how  see there */
int sgd_step(const struct update *u, const struct sgd *how);

/** One step of Adam (Kingma and Ba, 2015), at step t:
 *
 *      g = scale * g + weight_decay * p      (not if decoupled; i < decayed)
 *      m = beta1 * m + (1 - beta1) * g
 *      v = beta2 * v + (1 - beta2) * g * g
 *      p = p - rate * weight_decay * p       (if decoupled; i < decayed)
 *      p = p - rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
 *
 *  The last term may be off by 2^-13 of itself (the powers), else as above.
 *  Budget: 1 launch; each buffer read once and written once.
 *  @param[in] u    see there
 *  @param[in] how  see there */
int adam_step(const struct update *u, const struct adam *how);

/** The norm of all gradients together, sqrt of the sum of squares, and the
 *  scale that a step needs so that it is at most `most`.
 *
 *  Within (64 + log2 n) * 2^-23 of itself.  When it is no finite number (a NaN
 *  or an infinity in the gradients, or squares that overflow) the scale is NaN,
 *  so that the next step changes nothing.  Budget: n / 8 sectors read once.
 *  @param[in]  d_grads  device, n gradients
 *  @param      n        elements; of none the norm is 0
 *  @param      most     above 0; INFINITY never clips
 *  @param[out] d_norm   device, 2 floats: the norm; the scale: 1, or most /
 *                       norm where the norm is above `most`
 *  @param[out] d_work   device, CLIP_WORK(n) floats to use as you like, of any
 *                       contents before and after */
int clip_norm(const float *d_grads, size_t n, float most, float *d_norm,
              float *d_work);

/** Go on to the next step: add 1 to the number, and set the rate for it,
 *  within 32 * 2^-24 of the schedule's highest.  While it climbs nothing else
 *  counts; from then on it has dropped once for each `every` steps made, those
 *  of the warm-up among them, or follows the cosine, which begins there.
 *  @param[in]     how     see there
 *  @param[in,out] d_step  device, 1 int: steps made; 0 before the first
 *  @param[out]    d_rate  device, 1 float */
int next_step(const struct schedule *how, int *d_step, float *d_rate);

#ifdef __cplusplus
}
#endif

#endif
