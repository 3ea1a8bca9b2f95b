/* SPDX-License-Identifier: MIT */
/** @file
 *  The loss with its gradient, and the update of the parameters. */
#ifndef CNN_TRAINER_LOSS_UPDATE_H
#define CNN_TRAINER_LOSS_UPDATE_H

#include "layer_kernels.h"
#include "cnn_trainer.h"

/** Softmax, cross-entropy loss, prediction and gradient of one image.
 *  @param x  [classes] logits
 *  @param grad  [classes], of the mean over n images; or NULL
 *  @return  its loss, and 1 if the prediction is correct */
__device__ static inline float2 softmax_xent(const float *x, int classes,
                                             int label, int n, float *grad,
                                             unsigned char *predicted)
{
    int best = 0;
    for (int j = 1; j < classes; j++)
        if (x[j] > x[best]) best = j;
    float sum = 0;
    for (int j = 0; j < classes; j++)
        sum += expf(x[j] - x[best]);
    *predicted = (unsigned char)best;
    for (int j = 0; grad && j < classes; j++)
        grad[j] = (expf(x[j] - x[best]) / sum - (j == label)) / n;
    return make_float2(logf(sum) - (x[label] - x[best]), best == label);
}

/** The loss of all images, in one block: a thread owns every THREADS-th.
 *  @param out  [n][classes]
 *  @param grad  [n][classes], or NULL */
__global__ void __launch_bounds__(THREADS)
loss(const float *out, const unsigned char *labels, float *grad, int n,
     int classes, float *totals, unsigned char *predicted)
{
    float losses = 0, correct = 0;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        const size_t at = (size_t)i * classes;
        const float2 one = softmax_xent(out + at, classes, labels[i], n,
                                        grad ? grad + at : NULL, predicted + i);
        losses += one.x;
        correct += one.y;
    }
    const float2 all = block_sum(losses, correct);
    if (threadIdx.x == 0) {
        totals[0] += all.x;
        totals[1] += all.y;
    }
}

/** The arguments of the loss, when it is fused with the last layer. */
struct loss_args {
    const unsigned char *labels; /**< [n] */
    unsigned char *predicted;    /**< [n] */
    float *totals;               /**< two floats */
    struct view grad;            /**< gradient of outputs, or none */
    struct view scores;          /**< two floats per image: loss, and 1 if
                                      correct */
    struct view tickets;         /**< one int per tile of positions, 0 */
    int *last;                   /**< a ticket for the whole grid; NULL: no loss
                                      */
};

/** The last thread to finish a tile of positions computes the loss of its
 *  images; the last thread of the grid adds the losses in the order of the
 *  images.  Atomic tickets find the last thread. */
__device__ static inline void reduce_loss(const struct implicit_gemm &x,
                                          int stride, const struct loss_args &v)
{
    const int tile = blockIdx.x * stride + threadIdx.x;
    const int begin = blockIdx.x * stride * ROWS_PER_THREAD + threadIdx.x;
    int *ticket = (int *)view_at(v.tickets, tile, 0, 0);
    __threadfence();
    if (atomicAdd(ticket, 1) != (int)gridDim.y - 1) return;
    *ticket = 0;
    __threadfence();
    for (int i = 0; i < ROWS_PER_THREAD; i++) {
        const int n = begin + i * stride;
        if (n >= x.n) break;
        const float2 one = softmax_xent(
            x.epilogue.planes + (size_t)n * x.k, x.k, v.labels[n], x.n,
            v.grad.first ? view_at(v.grad, n, 0, 0) : NULL, v.predicted + n);
        float *score = view_at(v.scores, n, 0, 0);
        score[0] = one.x;
        score[1] = one.y;
    }
    __threadfence();
    if (atomicAdd(v.last, 1) != (int)gridDim.x * stride - 1) return;
    *v.last = 0;
    __threadfence();
    float losses = 0, correct = 0;
    for (int n = 0; n < x.n; n++) {
        const float *score = view_at(v.scores, n, 0, 0);
        losses += score[0];
        correct += score[1];
    }
    v.totals[0] += losses;
    v.totals[1] += correct;
}

/** Forward pass of a layer with weights, fused with bias, ReLU, pooling
 *  (WINDOWS) or the loss. */
template <bool WINDOWS>
__global__ void __launch_bounds__(BLOCK_THREADS)
forward_kernel(struct implicit_gemm x, int stride, struct loss_args v)
{
    if ((int)threadIdx.x >= stride) return;
    implicit_gemm_tile<WINDOWS>(x, stride, blockIdx.x,
                                blockIdx.y * FILTERS_PER_THREAD);
    if (!WINDOWS && v.last) reduce_loss(x, stride, v);
}

/** Launch forward_kernel. */
static inline void launch_forward(const struct implicit_gemm *x,
                                  const struct loss_args *v)
{
    const struct tiling tiling = tiling_of(x);
    const dim3 grid(tiling.tiles, round_up(x->k) / FILTERS_PER_THREAD);
    if (x->epilogue.argmax_out)
        forward_kernel<true><<<grid, BLOCK_THREADS>>>(*x, tiling.stride, *v);
    else
        forward_kernel<false><<<grid, BLOCK_THREADS>>>(*x, tiling.stride, *v);
}

/** The factor that clips the gradient to a norm of `max_grad_norm`;
 *  one block. */
__global__ void __launch_bounds__(THREADS)
clip_factor(const float *grad, size_t n, float max_grad_norm, float *factor)
{
    float squares = 0;
    for (size_t i = threadIdx.x; i < n; i += THREADS)
        squares += grad[i] * grad[i];
    const float norm = sqrtf(block_sum(squares, 0).x);
    if (threadIdx.x == 0)
        *factor = norm > max_grad_norm ? max_grad_norm / norm : 1;
}

/** The arrays and parameters of an optimizer. */
struct update {
    float *parameters, *first, *second; /**< parameters and two moments */
    const float *gradients, *learning_rate, *factor; /**< factor: NULL for 1 */
    const int *count;     /**< step number */
    size_t n;             /**< number of parameters */
    float momentum, weight_decay; /**< see network.h */
    int optimizer;        /**< see network.h */
};

/** The step of momentum and Nesterov momentum. */
__device__ static inline float momentum_step(const struct update &u, size_t i,
                                             float grad, bool nesterov)
{
    const float velocity = u.first[i] = u.momentum * u.first[i] + grad;
    return nesterov ? grad + u.momentum * velocity : velocity;
}

/** 1 - beta^step, from the logarithm of beta: the power is so near 1 that the
 *  subtraction would lose half of the digits. */
__device__ static inline float bias_correction(float log_beta, float step)
{
    return -expm1f(step * log_beta);
}

/** The step of Adam, with bias correction of both moments. */
__device__ static inline float adam_step(const struct update &u, size_t i,
                                         float grad)
{
    const float step = (float)*u.count;
    const float log_beta1 = -0.105360516f, log_beta2 = -0.00100050033f;
    const float first = u.first[i] = 0.9f * u.first[i] + 0.1f * grad;
    const float second = u.second[i] =
        0.999f * u.second[i] + 0.001f * grad * grad;
    return first / bias_correction(log_beta1, step)
           / (sqrtf(second / bias_correction(log_beta2, step)) + 1e-8f);
}

/** Update all parameters, one thread for each. */
__global__ void update_parameters(struct update u)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= u.n) return;
    const bool decoupled = u.optimizer == OPTIMIZER_ADAMW;
    const float learning_rate = *u.learning_rate, old = u.parameters[i];
    float grad = u.gradients[i] * (u.factor ? *u.factor : 1);
    if (!decoupled) grad += u.weight_decay * old;
    float by = grad;
    if (u.optimizer == OPTIMIZER_MOMENTUM)
        by = momentum_step(u, i, grad, false);
    else if (u.optimizer == OPTIMIZER_NESTEROV)
        by = momentum_step(u, i, grad, true);
    else if (u.optimizer != OPTIMIZER_SGD)
        by = adam_step(u, i, grad);
    u.parameters[i] =
        old - learning_rate * (decoupled ? by + u.weight_decay * old : by);
}

/** The update of a step.
 *  @param factor  one float of the workspace */
static inline void optimizer_step(const struct step *step, float *factor)
{
    const struct training *config = &step->net->training;
    const size_t n = step->net->parameters;
    struct update all = {step->d_parameters,    step->d_moment1,
                         step->d_moment2,       step->d_gradients,
                         step->d_learning_rate, NULL,
                         step->d_step,          n,
                         config->momentum,      config->weight_decay,
                         config->optimizer};
    if (config->max_grad_norm > 0) {
        all.factor = factor;
        clip_factor<<<1, THREADS>>>(step->d_gradients, n, config->max_grad_norm,
                                    factor);
    }
    update_parameters<<<blocks_for(n), THREADS>>>(all);
}

#endif
