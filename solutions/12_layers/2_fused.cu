/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers, step 2: kernel fusion.  Consecutive operations are one kernel, and
 *  intermediate values stay in registers. */
#include "block_sum.h"

/** A thread owns an element.  Grid ceil(n / 256). */
__global__ void add_bias_relu(const float *x, const float *bias, float *y,
                              int n, struct planes p)
{
    unsigned i = global_thread_index();

    if (i < (unsigned)n) y[i] = relu(x[i] + bias[channel_of(i, p)]);
}

int bias_relu_forward(const struct layer_shape *shape, const float *d_x,
                      const float *d_bias, float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    add_bias_relu<<<blocks_for(n), THREADS>>>(d_x, d_bias, d_y, n, p);
    return CUDA_CHECK(cudaGetLastError());
}

/** A block owns a channel: it stores the masked gradient and sums it. */
__global__ void relu_backward_bias_sum(const float *y, const float *y_grad,
                                       float *x_grad, float *bias_grad,
                                       struct planes p)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS) {
        unsigned at = channel_offset(i, p);
        float grad = relu_grad(y[at], y_grad[at]);
        x_grad[at] = grad;
        sum += grad;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) bias_grad[blockIdx.x] = sum;
}

int bias_relu_backward(const struct layer_shape *shape, const float *d_y,
                       const float *d_y_grad, float *d_x_grad,
                       float *d_bias_grad)
{
    struct planes p;

    if (element_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    relu_backward_bias_sum<<<p.c, THREADS>>>(d_y, d_y_grad, d_x_grad,
                                             d_bias_grad, p);
    return CUDA_CHECK(cudaGetLastError());
}

/** The maximum of a row and the sum of exp(x - maximum). */
__device__ static inline float2 row_max_and_sum(const float *x, unsigned c)
{
    float row_maximum = -INFINITY, sum = 0;

    for (unsigned j = 0; j < c; j++)
        row_maximum = fmaxf(row_maximum, x[j]);
    for (unsigned j = 0; j < c; j++)
        sum += expf(x[j] - row_maximum);
    return make_float2(row_maximum, sum);
}

/** A thread owns a row, loads it three times and stores it once.  The accesses
 *  of a warp have a stride of one row (uncoalesced). */
__global__ void softmax_row(const float *x, float *y, struct planes rows)
{
    size_t row = global_thread_index();

    if (row >= rows.n) return;
    x += row * rows.c;
    y += row * rows.c;
    float2 scale = row_max_and_sum(x, rows.c);
    for (unsigned j = 0; j < rows.c; j++)
        y[j] = expf(x[j] - scale.x) / scale.y;
}

int softmax_forward(const struct layer_shape *shape, const float *d_x,
                    float *d_y)
{
    struct planes rows;
    int n = element_count(shape, &rows);

    if (n < 0 || shape->h != 1 || shape->w != 1) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    softmax_row<<<blocks_for((int)rows.n), THREADS>>>(d_x, d_y, rows);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread owns a row: its loss and its gradient. */
__global__ void cross_entropy_row(const float *x, const unsigned char *labels,
                                  float *losses, float *x_grad,
                                  struct planes rows)
{
    size_t row = global_thread_index();

    if (row >= rows.n) return;
    unsigned label = labels[row];
    bool known = label < rows.c;
    x += row * rows.c;
    x_grad += row * rows.c;
    float2 scale = row_max_and_sum(x, rows.c);
    losses[row] = known ? logf(scale.y) - (x[label] - scale.x) : NAN;
    for (unsigned j = 0; j < rows.c; j++) {
        float grad = expf(x[j] - scale.x) / scale.y - (j == label);
        x_grad[j] = known ? grad / rows.n : NAN;
    }
}

int softmax_cross_entropy(const struct layer_shape *shape, const float *d_x,
                          const unsigned char *d_labels, float *d_losses,
                          float *d_x_grad)
{
    struct planes rows;

    if (element_count(shape, &rows) < 0 || shape->h != 1 || shape->w != 1)
        return cudaErrorInvalidValue;
    if (rows.n > 0)
        cross_entropy_row<<<blocks_for((int)rows.n), THREADS>>>(
            d_x, d_labels, d_losses, d_x_grad, rows);
    mean_loss<<<1, THREADS>>>(d_losses, rows.n);
    return CUDA_CHECK(cudaGetLastError());
}

/** A block owns a channel: mean, variance and result; the channel is loaded
 *  three times. */
__global__ void batchnorm_channel(struct batchnorm norm, const float *x,
                                  float *y, struct planes p)
{
    const unsigned m = p.n * p.plane, c = blockIdx.x;
    float sum = 0, squares = 0;

    for (unsigned i = threadIdx.x; i < m; i += THREADS)
        sum += x[channel_offset(i, p)];
    const float mean = block_sum(sum) / m;
    for (unsigned i = threadIdx.x; i < m; i += THREADS) {
        float deviation = x[channel_offset(i, p)] - mean;
        squares += deviation * deviation;
    }
    const float var = block_sum(squares) / m;
    if (threadIdx.x == 0) store_statistics(norm, mean, var, m);
    struct channel channel = {mean, 1 / sqrtf(var + norm.epsilon),
                              norm.d_gamma[c], norm.d_beta[c]};
    for (unsigned i = threadIdx.x; i < m; i += THREADS) {
        float value = apply_norm(x[channel_offset(i, p)], channel);
        y[channel_offset(i, p)] = norm.relu ? relu(value) : value;
    }
}

int batchnorm_forward(const struct layer_shape *shape,
                      const struct batchnorm *norm, const float *d_x,
                      float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    batchnorm_channel<<<p.c, THREADS>>>(*norm, d_x, d_y, p);
    return CUDA_CHECK(cudaGetLastError());
}

/** A block owns a channel: both sums in one pass, then the gradient. */
__global__ void batchnorm_channel_grad(struct batchnorm norm, const float *x,
                                       const float *y_grad, float *x_grad,
                                       struct planes p)
{
    const unsigned m = p.n * p.plane;
    const struct channel channel = load_saved_channel(norm, blockIdx.x);
    float2 sum = make_float2(0, 0);

    for (unsigned i = threadIdx.x; i < m; i += THREADS) {
        unsigned at = channel_offset(i, p);
        float grad = relu_masked_grad(x[at], y_grad[at], channel, norm.relu);
        sum.x += grad;
        sum.y += grad * ((x[at] - channel.mean) * channel.inv_std);
    }
    sum.x = block_sum(sum.x);
    sum.y = block_sum(sum.y);
    if (threadIdx.x == 0) {
        norm.d_beta_grad[blockIdx.x] = sum.x;
        norm.d_gamma_grad[blockIdx.x] = sum.y;
    }
    const float2 mean = make_float2(sum.x / m, sum.y / m);
    for (unsigned i = threadIdx.x; i < m; i += THREADS) {
        unsigned at = channel_offset(i, p);
        float grad = relu_masked_grad(x[at], y_grad[at], channel, norm.relu);
        x_grad[at] = input_grad(x[at], grad, mean, channel);
    }
}

int batchnorm_backward(const struct layer_shape *shape,
                       const struct batchnorm *norm, const float *d_x,
                       const float *d_y_grad, float *d_x_grad)
{
    struct planes p;

    if (element_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    batchnorm_channel_grad<<<p.c, THREADS>>>(*norm, d_x, d_y_grad, d_x_grad, p);
    return CUDA_CHECK(cudaGetLastError());
}
