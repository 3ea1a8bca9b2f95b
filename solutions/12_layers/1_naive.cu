/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers, step 1: one kernel for each formula, as in a textbook. */
#include "block_sum.h"

int bias_relu_forward(const struct layer_shape *shape, const float *d_x,
                      const float *d_bias, float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);
    int err = bias_forward(shape, d_x, d_bias, d_y);

    return err ? err : relu_forward(d_y, d_y, n);
}

int bias_relu_backward(const struct layer_shape *shape, const float *d_y,
                       const float *d_y_grad, float *d_x_grad,
                       float *d_bias_grad)
{
    struct planes p;
    int err = relu_backward(d_y, d_y_grad, d_x_grad, element_count(shape, &p));

    return err ? err : bias_backward(shape, d_x_grad, d_bias_grad);
}

/** A thread owns a row: y = x - maximum of the row.  Grid ceil(rows / 256), as
 *  for all kernels on rows here. */
__global__ void subtract_row_max(const float *x, float *y, struct planes rows)
{
    size_t row = global_thread_index(), first = row * rows.c;
    float row_maximum = -INFINITY;

    if (row >= rows.n) return;
    for (unsigned j = 0; j < rows.c; j++)
        row_maximum = fmaxf(row_maximum, x[first + j]);
    for (unsigned j = 0; j < rows.c; j++)
        y[first + j] = x[first + j] - row_maximum;
}

/** A thread owns a row: its loss, from the output of subtract_row_max. */
__global__ void row_losses(const float *y, const unsigned char *labels,
                           float *losses, struct planes rows)
{
    size_t row = global_thread_index(), first = row * rows.c;
    float sum = 0;

    if (row >= rows.n) return;
    for (unsigned j = 0; j < rows.c; j++)
        sum += expf(y[first + j]);
    losses[row] = labels[row] < rows.c ? logf(sum) - y[first + labels[row]]
                                       : NAN;
}

/** A thread owns an element. */
__global__ void exp_kernel(float *y, int n)
{
    unsigned i = global_thread_index();

    if (i < (unsigned)n) y[i] = expf(y[i]);
}

/** A thread owns a row: divide it by its sum. */
__global__ void divide_by_row_sum(float *y, struct planes rows)
{
    size_t row = global_thread_index(), first = row * rows.c;
    float sum = 0;

    if (row >= rows.n) return;
    for (unsigned j = 0; j < rows.c; j++)
        sum += y[first + j];
    for (unsigned j = 0; j < rows.c; j++)
        y[first + j] /= sum;
}

/** A thread owns an element: the gradient of the loss from the softmax. */
__global__ void cross_entropy_grad(float *y, const unsigned char *labels, int n,
                                   struct planes rows)
{
    unsigned i = global_thread_index();

    if (i >= (unsigned)n) return;
    unsigned label = labels[i / rows.c];
    float grad = y[i] - (i % rows.c == label);
    y[i] = label < rows.c ? grad / rows.n : NAN;
}

/** The softmax from the output of subtract_row_max, n > 0 elements. */
static void launch_softmax(float *d_y, int n, struct planes rows)
{
    exp_kernel<<<blocks_for(n), THREADS>>>(d_y, n);
    divide_by_row_sum<<<blocks_for((int)rows.n), THREADS>>>(d_y, rows);
}

int softmax_forward(const struct layer_shape *shape, const float *d_x,
                    float *d_y)
{
    struct planes rows;
    int n = element_count(shape, &rows);

    if (n < 0 || shape->h != 1 || shape->w != 1) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    subtract_row_max<<<blocks_for((int)rows.n), THREADS>>>(d_x, d_y, rows);
    launch_softmax(d_y, n, rows);
    return CUDA_CHECK(cudaGetLastError());
}

int softmax_cross_entropy(const struct layer_shape *shape, const float *d_x,
                          const unsigned char *d_labels, float *d_losses,
                          float *d_x_grad)
{
    struct planes rows;
    int n = element_count(shape, &rows);

    if (n < 0 || shape->h != 1 || shape->w != 1) return cudaErrorInvalidValue;
    if (rows.n > 0) {
        unsigned blocks = blocks_for((int)rows.n);
        subtract_row_max<<<blocks, THREADS>>>(d_x, d_x_grad, rows);
        row_losses<<<blocks, THREADS>>>(d_x_grad, d_labels, d_losses, rows);
    }
    if (n > 0) {
        launch_softmax(d_x_grad, n, rows);
        cross_entropy_grad<<<blocks_for(n), THREADS>>>(d_x_grad, d_labels, n,
                                                       rows);
    }
    mean_loss<<<1, THREADS>>>(d_losses, rows.n);
    return CUDA_CHECK(cudaGetLastError());
}

/** A block owns a channel: its mean. */
__global__ void channel_mean(struct batchnorm norm, const float *x,
                             struct planes p)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS)
        sum += x[channel_offset(i, p)];
    sum = block_sum(sum);
    if (threadIdx.x == 0) norm.d_mean[blockIdx.x] = sum / (p.n * p.plane);
}

/** A block owns a channel: its variance, from deviations from the mean. */
__global__ void channel_variance(struct batchnorm norm, const float *x,
                                 struct planes p)
{
    const unsigned m = p.n * p.plane;
    float sum = 0, mean = norm.d_mean[blockIdx.x];

    for (unsigned i = threadIdx.x; i < m; i += THREADS) {
        float deviation = x[channel_offset(i, p)] - mean;
        sum += deviation * deviation;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) store_statistics(norm, mean, sum / m, m);
}

/** A thread owns an element. */
__global__ void scale_and_shift(struct batchnorm norm, const float *x,
                                float *y, int n, struct planes p)
{
    unsigned i = global_thread_index();

    if (i < (unsigned)n)
        y[i] = apply_norm(x[i], load_saved_channel(norm, channel_of(i, p)));
}

int batchnorm_forward(const struct layer_shape *shape,
                      const struct batchnorm *norm, const float *d_x,
                      float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    channel_mean<<<p.c, THREADS>>>(*norm, d_x, p);
    channel_variance<<<p.c, THREADS>>>(*norm, d_x, p);
    scale_and_shift<<<blocks_for(n), THREADS>>>(*norm, d_x, d_y, n, p);
    cudaError_t err = CUDA_CHECK(cudaGetLastError());
    return err || !norm->relu ? err : relu_forward(d_y, d_y, n);
}

/** A thread owns an element: apply the mask of the ReLU to the gradient. */
__global__ void mask_grad(struct batchnorm norm, const float *x,
                          const float *y_grad, float *x_grad, int n,
                          struct planes p)
{
    unsigned i = global_thread_index();

    if (i < (unsigned)n)
        x_grad[i] = relu_masked_grad(x[i], y_grad[i],
                                     load_saved_channel(norm, channel_of(i, p)),
                                     norm.relu);
}

/** A block owns a channel: the gradient of gamma. */
__global__ void gamma_grad(struct batchnorm norm, const float *x,
                           const float *y_grad, struct planes p)
{
    const struct channel channel = load_saved_channel(norm, blockIdx.x);
    float sum = 0;

    for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS) {
        unsigned at = channel_offset(i, p);
        sum += y_grad[at] * ((x[at] - channel.mean) * channel.inv_std);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) norm.d_gamma_grad[blockIdx.x] = sum;
}

/** A thread owns an element: its gradient, from the sums of its channel. */
__global__ void norm_input_grad(struct batchnorm norm, const float *x,
                                float *x_grad, int n, struct planes p)
{
    unsigned i = global_thread_index(), c;
    const float m = (float)(p.n * p.plane);

    if (i >= (unsigned)n) return;
    c = channel_of(i, p);
    float2 mean = make_float2(norm.d_beta_grad[c] / m,
                              norm.d_gamma_grad[c] / m);
    x_grad[i] = input_grad(x[i], x_grad[i], mean, load_saved_channel(norm, c));
}

int batchnorm_backward(const struct layer_shape *shape,
                       const struct batchnorm *norm, const float *d_x,
                       const float *d_y_grad, float *d_x_grad)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    if (n > 0)
        mask_grad<<<blocks_for(n), THREADS>>>(*norm, d_x, d_y_grad, d_x_grad,
                                              n, p);
    sum_channel<<<p.c, THREADS>>>(d_x_grad, norm->d_beta_grad, p);
    gamma_grad<<<p.c, THREADS>>>(*norm, d_x, d_x_grad, p);
    if (n > 0)
        norm_input_grad<<<blocks_for(n), THREADS>>>(*norm, d_x, d_x_grad, n,
                                                    p);
    return CUDA_CHECK(cudaGetLastError());
}
