/* SPDX-License-Identifier: MIT */
/** @file
 *  The two ends of a step: the loss with its gradient, and the update. */
#ifndef CNN_TRAINER_FINISH_H
#define CNN_TRAINER_FINISH_H

#include "between.h"
#include "cnn_trainer.h"

/** Softmax, loss, choice and gradient of one image.
 *  @param x     [classes] outputs
 *  @param grad  likewise, of the mean over n images, or NULL
 *  @return its loss, and 1 when the choice is right */
__device__ static inline float2 judge(const float *x, int classes, int label,
                                      int n, float *grad,
                                      unsigned char *chosen)
{
    int best = 0;
    for (int j = 1; j < classes; j++)
        if (x[j] > x[best]) best = j;
    float sum = 0;
    for (int j = 0; j < classes; j++)
        sum += expf(x[j] - x[best]);
    *chosen = (unsigned char)best;
    for (int j = 0; grad && j < classes; j++)
        grad[j] = (expf(x[j] - x[best]) / sum - (j == label)) / n;
    return make_float2(logf(sum) - (x[label] - x[best]), best == label);
}

/** The loss of all images, in one block: a thread takes every THREADS-th.
 *  @param out   [n][classes]
 *  @param grad  likewise, or NULL */
__global__ void __launch_bounds__(THREADS)
loss(const float *out, const unsigned char *labels, float *grad, int n,
     int classes, float *totals, unsigned char *chosen)
{
    float losses = 0, right = 0;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        const size_t at = (size_t)i * classes;
        const float2 one = judge(out + at, classes, labels[i], n,
                                 grad ? grad + at : NULL, chosen + i);
        losses += one.x;
        right += one.y;
    }
    const float2 all = block_sum(losses, right);
    if (threadIdx.x == 0) {
        totals[0] += all.x;
        totals[1] += all.y;
    }
}

/** The loss, as the end of the last layer's sweep. */
struct verdict {
    const unsigned char *labels; /**< [n] */
    unsigned char *chosen;       /**< [n] */
    float *totals;               /**< two */
    struct view grad;            /**< gradient by outputs, or none */
    struct view scores;          /**< two an image, loss and whether right */
    struct view tickets;         /**< an int each tile of positions, 0 */
    int *last;                   /**< a ticket for all; NULL: no loss */
};

/** Who ends last of the filters' groups judges the tile's images, who ends
 *  last of all adds up, in the images' order. */
__device__ static inline void conclude(const struct sweep &x, int apart,
                                       const struct verdict &v)
{
    const int tile = blockIdx.x * apart + threadIdx.x;
    const int begin = blockIdx.x * apart * TALL + threadIdx.x;
    int *ticket = (int *)at_view(v.tickets, tile, 0, 0);
    __threadfence();
    if (atomicAdd(ticket, 1) != (int)gridDim.y - 1) return;
    *ticket = 0;
    __threadfence();
    for (int i = 0; i < TALL; i++) {
        const int n = begin + i * apart;
        if (n >= x.n) break;
        const float2 one = judge(
            x.store.planes + (size_t)n * x.k, x.k, v.labels[n], x.n,
            v.grad.first ? at_view(v.grad, n, 0, 0) : NULL, v.chosen + n);
        float *score = at_view(v.scores, n, 0, 0);
        score[0] = one.x;
        score[1] = one.y;
    }
    __threadfence();
    if (atomicAdd(v.last, 1) != (int)gridDim.x * apart - 1) return;
    *v.last = 0;
    __threadfence();
    float losses = 0, right = 0;
    for (int n = 0; n < x.n; n++) {
        const float *score = at_view(v.scores, n, 0, 0);
        losses += score[0];
        right += score[1];
    }
    v.totals[0] += losses;
    v.totals[1] += right;
}

/** The way forward of a layer with weights, and what ends with it: bias, ReLU,
 *  pooling (WINDOWS) or the loss. */
template <bool WINDOWS>
__global__ void __launch_bounds__(LANES)
forward_over(struct sweep x, int apart, struct verdict v)
{
    if ((int)threadIdx.x >= apart) return;
    sweep_part<WINDOWS>(x, apart, blockIdx.x, blockIdx.y * WIDE);
    if (!WINDOWS && v.last) conclude(x, apart, v);
}

/** Launch it. */
static inline void sweep_forward(const struct sweep *x,
                                 const struct verdict *v)
{
    const struct shares shares = shares_of(x);
    const dim3 grid(shares.tiles, whole(x->k) / WIDE);
    if (x->store.which)
        forward_over<true><<<grid, LANES>>>(*x, shares.apart, *v);
    else
        forward_over<false><<<grid, LANES>>>(*x, shares.apart, *v);
}

/** What shortens a gradient that is longer than `clip`; one block. */
__global__ void __launch_bounds__(THREADS)
shorten(const float *grad, size_t n, float clip, float *factor)
{
    float squares = 0;
    for (size_t i = threadIdx.x; i < n; i += THREADS)
        squares += grad[i] * grad[i];
    const float norm = sqrtf(block_sum(squares, 0).x);
    if (threadIdx.x == 0) *factor = norm > clip ? clip / norm : 1;
}

/** An optimiser's arrays and numbers. */
struct update {
    float *parameters, *first, *second; /**< and two moments */
    const float *gradients, *rate, *factor; /**< factor: NULL for 1 */
    const int *count;     /**< the step's number */
    size_t n;             /**< parameters */
    float momentum, decay; /**< see network.h */
    int optimizer;        /**< likewise */
};

/** The step of momentum and Nesterov. */
__device__ static inline float pushed(const struct update &u, size_t i,
                                      float grad, bool nesterov)
{
    const float speed = u.first[i] = u.momentum * u.first[i] + grad;
    return nesterov ? grad + u.momentum * speed : speed;
}

/** 1 - beta^step by the logarithm of beta: the power alone is so near 1 that
 *  the difference would have lost half its digits. */
__device__ static inline float begun(float log_beta, float step)
{
    return -expm1f(step * log_beta);
}

/** The step of Adam, its moments corrected for where they began. */
__device__ static inline float adapted(const struct update &u, size_t i,
                                       float grad)
{
    const float step = (float)*u.count;
    const float log_early = -0.105360516f, log_late = -0.00100050033f;
    const float first = u.first[i] = 0.9f * u.first[i] + 0.1f * grad;
    const float second = u.second[i] =
        0.999f * u.second[i] + 0.001f * grad * grad;
    return first / begun(log_early, step)
           / (sqrtf(second / begun(log_late, step)) + 1e-8f);
}

/** All parameters, a thread each. */
__global__ void update_all(struct update u)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= u.n) return;
    const bool apart = u.optimizer == OPTIMIZER_ADAMW;
    const float rate = *u.rate, old = u.parameters[i];
    float grad = u.gradients[i] * (u.factor ? *u.factor : 1);
    if (!apart) grad += u.decay * old;
    float by = grad;
    if (u.optimizer == OPTIMIZER_MOMENTUM)
        by = pushed(u, i, grad, false);
    else if (u.optimizer == OPTIMIZER_NESTEROV)
        by = pushed(u, i, grad, true);
    else if (u.optimizer != OPTIMIZER_SGD)
        by = adapted(u, i, grad);
    u.parameters[i] = old - rate * (apart ? by + u.decay * old : by);
}

/** The update of a step.  @param factor  one float of the workspace */
static inline void update_step(const struct step *step, float *factor)
{
    const struct training *how = &step->net->training;
    const size_t n = step->net->parameters;
    struct update all = {step->d_parameters, step->d_first,
                         step->d_second, step->d_gradients, step->d_rate, NULL,
                         step->d_step, n, how->momentum, how->decay,
                         how->optimizer};
    if (how->clip > 0) {
        all.factor = factor;
        shorten<<<1, THREADS>>>(step->d_gradients, n, how->clip, factor);
    }
    update_all<<<blocks_for(n), THREADS>>>(all);
}

#endif
