/* SPDX-License-Identifier: MIT */
/** @file
 *  The loss with its gradient, and the update of the parameters. */
#ifndef CNN_TRAINER_LOSS_UPDATE_H
#define CNN_TRAINER_LOSS_UPDATE_H

#include "batchnorm_kernels.h"
#include "cnn_trainer.h"

/** Blocks of the launch that have finished; 0 again after each launch. */
__device__ static int loss_blocks_done, norm_blocks_done;

/** The arguments of the loss. */
struct loss_args {
    const unsigned char *labels; /**< [n]; NULL: no loss */
    unsigned char *predicted;    /**< [n] */
    float *totals;               /**< two floats */
    struct view grad;            /**< gradient of outputs, or none */
    struct view scores;          /**< two floats per image: loss, and 1 if
                                      correct */
    struct view tickets;         /**< one int per tile of images, 0; only for
                                      the fused loss */
};

/** The index of the largest output, the first of equal ones, in all lanes: a
 *  lane compares every 32nd, and the lanes exchange what they found. */
__device__ static inline int warp_argmax(const float *x, int classes)
{
    const int lane = threadIdx.x % WARP;
    int best = min(lane, classes - 1);
    float largest = x[best];

    for (int j = lane + WARP; j < classes; j += WARP)
        if (x[j] > largest) {
            best = j;
            largest = x[j];
        }
#pragma unroll
    for (int lanes = WARP / 2; lanes; lanes /= 2) {
        const float value = __shfl_xor_sync(0xffffffff, largest, lanes);
        const int index = __shfl_xor_sync(0xffffffff, best, lanes);
        if (value > largest || (value == largest && index < best)) {
            best = index;
            largest = value;
        }
    }
    return best;
}

/** Softmax, cross-entropy loss, prediction and gradient of one image by a warp.
 *  @param x  [classes] logits
 *  @param grad  [classes], of the mean over n images; or NULL
 *  @return  its loss, and 1 if the prediction is correct */
__device__ static inline float2 softmax_xent(const float *x, int classes,
                                             int label, int n, float *grad,
                                             unsigned char *predicted)
{
    const int lane = threadIdx.x % WARP, best = warp_argmax(x, classes);
    const float largest = x[best];
    float2 sum = make_float2(0, 0);

    for (int j = lane; j < classes; j += WARP)
        sum.x += expf(x[j] - largest);
    sum = warp_sum(sum);
    for (int j = lane; grad && j < classes; j += WARP)
        grad[j] = (expf(x[j] - largest) / sum.x - (j == label)) / n;
    if (lane == 0) *predicted = (unsigned char)best;
    return make_float2(logf(sum.x) - (x[label] - largest), best == label);
}

/** The loss of up to `count` of n images from `first` on, a warp for each.  The
 *  last block of the grid adds all losses, in an order that does not depend on
 *  the blocks.
 *  @param out  [n][classes]
 *  @param blocks  of the grid that call this function */
__device__ static inline void add_losses(const struct loss_args &v,
                                         const float *out, int classes, int n,
                                         int first, int count, int blocks)
{
    const int end = min(first + count, n);

    for (int i = first + threadIdx.x / WARP; i < end; i += blockDim.x / WARP) {
        const float2 one = softmax_xent(
            out + (size_t)i * classes, classes, v.labels[i], n,
            v.grad.first ? view_at(v.grad, i, 0, 0) : NULL, v.predicted + i);
        if (threadIdx.x % WARP == 0)
            *(float2 *)view_at(v.scores, i, 0, 0) = one;
    }
    if (!is_last_block(&loss_blocks_done, blocks)) return;
    float2 sum = make_float2(0, 0);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const float2 one = *(const float2 *)view_at(v.scores, i, 0, 0);
        sum.x += one.x;
        sum.y += one.y;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        v.totals[0] += sum.x;
        v.totals[1] += sum.y;
    }
}

/** The loss, a warp per image.  Grid ceil(n / 4), block 128.
 *  @param out  [n][classes] */
__global__ void __launch_bounds__(BLOCK_THREADS)
loss(struct loss_args v, const float *out, int classes, int n)
{
    const int each = BLOCK_THREADS / WARP;

    add_losses(v, out, classes, n, blockIdx.x * each, each, gridDim.x);
}

/** Launch the loss of a step whose last layer does not compute it. */
static inline void launch_loss(const struct step *step, int classes,
                               const float *out, float *grad,
                               struct view scores)
{
    const struct loss_args v = {
        step->d_labels, step->d_predicted, step->d_totals,
        {grad, (size_t)classes, 0, 0, 1}, scores, {}};

    loss<<<(unsigned)ceil_div(step->count, BLOCK_THREADS / WARP),
           BLOCK_THREADS>>>(v, out, classes, step->count);
}

/** Forward pass of a layer with weights, fused with bias, ReLU, pooling or, in
 *  a dense layer, the loss: the last block to finish a tile of images (found by
 *  a ticket) has the outputs of all classes. */
template <int M, int N, enum gather HOW>
__global__ void __launch_bounds__(BLOCK_THREADS, 4)
forward_kernel(struct implicit_gemm x, struct loss_args v)
{
    __shared__ __align__(16) struct gemm_tile<M, N> s_tile;
    const struct outputs &to = x.outputs;

    if (HOW != ALONG_ROWS) set_dense(x.outputs);
    const bool stored = implicit_gemm_tile<M, N, HOW, true>(
        x, s_tile, blockIdx.x, blockIdx.y * N,
        blockIdx.y * gridDim.x + blockIdx.x, blockIdx.z);
    if (HOW == ALONG_ROWS || !stored || !v.labels) return;
    int *const ticket = (int *)view_at(v.tickets, blockIdx.x, 0, 0);
    if (is_last_block(ticket, gridDim.y))
        add_losses(v, to.epilogue.planes, to.k, to.n, blockIdx.x * M, M,
                   gridDim.x);
}

/** May four inputs of a dense layer be one load? */
static inline bool has_float4_inputs(const struct implicit_gemm *x)
{
    return (uintptr_t)x->from.first % sizeof(float4) == 0
           && x->from.image_stride % 4 == 0 && x->count % 4 == 0;
}

/** The side of a dense layer's tiles.  A small batch would leave most rows of
 *  large ones empty. */
static inline int dense_side(const struct implicit_gemm *x)
{
    return x->outputs.n > DENSE_SMALL && has_float4_inputs(x) ? DENSE_LARGE
                                                              : DENSE_SMALL;
}

/** Launch forward_kernel. */
static inline void launch_forward(struct implicit_gemm *x, bool dense,
                                  const struct loss_args *v)
{
    const int n = dense ? dense_side(x) : tile_columns(x->outputs.k);
    dim3 grid = tile_grid(x, dense ? n : CONV_TILE / n, n);

    if (dense && n == DENSE_LARGE) {
        split_terms(&x->splits, x->count, SPLIT_UNIT, SPLIT_INPUTS,
                    grid.x * grid.y, SPLIT_BLOCKS);
        grid.z = (unsigned)x->splits.count;
        forward_kernel<DENSE_LARGE, DENSE_LARGE, FLOAT4_TERMS>
            <<<grid, BLOCK_THREADS>>>(*x, *v);
    } else if (dense && has_float4_inputs(x))
        forward_kernel<DENSE_SMALL, DENSE_SMALL, FLOAT4_TERMS>
            <<<grid, BLOCK_THREADS>>>(*x, *v);
    else if (dense)
        forward_kernel<DENSE_SMALL, DENSE_SMALL, ALONG_TERMS>
            <<<grid, BLOCK_THREADS>>>(*x, *v);
    else if (n == 8)
        forward_kernel<CONV_TILE / 8, 8, ALONG_ROWS>
            <<<grid, BLOCK_THREADS>>>(*x, *v);
    else if (n == 16)
        forward_kernel<CONV_TILE / 16, 16, ALONG_ROWS>
            <<<grid, BLOCK_THREADS>>>(*x, *v);
    else
        forward_kernel<CONV_TILE / 32, 32, ALONG_ROWS>
            <<<grid, BLOCK_THREADS>>>(*x, *v);
}

enum {
    NORM_BLOCKS = 256,       /**< most blocks of the norm */
    SCRATCH = NORM_BLOCKS + 1 /**< floats of scratch of optimizer_step() */
};

/** The factor that clips the gradient to a norm of `max_grad_norm`.  A thread
 *  owns float4 of the gradient, and the last block adds the blocks' sums in
 *  their order.  Grid up to NORM_BLOCKS, block 256.
 *  @param parts  one float per block */
__global__ void __launch_bounds__(THREADS)
clip_factor(const float *grad, size_t n, float max_grad_norm, float *parts,
            float *factor)
{
    const size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float2 squares = make_float2(0, 0);

    for (size_t i = t; i < n / 4; i += (size_t)gridDim.x * THREADS) {
        const float4 q = ((const float4 *)grad)[i];
        squares.x += q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    }
    if (t < n % 4) squares.x += grad[n - 1 - t] * grad[n - 1 - t];
    squares = block_sum(squares);
    if (threadIdx.x == 0) parts[blockIdx.x] = squares.x;
    if (!is_last_block(&norm_blocks_done, gridDim.x)) return;
    squares.x = threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0;
    const float norm = sqrtf(block_sum(squares).x);
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
 *  @param scratch  SCRATCH floats of the workspace */
static inline void optimizer_step(const struct step *step, float *scratch)
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
        const size_t wanted = ceil_div(n, 16 * THREADS), most = NORM_BLOCKS;
        all.factor = scratch + NORM_BLOCKS;
        clip_factor<<<(unsigned)(wanted < most ? wanted : most), THREADS>>>(
            step->d_gradients, n, config->max_grad_norm, scratch,
            scratch + NORM_BLOCKS);
    }
    update_parameters<<<blocks_for(n), THREADS>>>(all);
}

#endif
