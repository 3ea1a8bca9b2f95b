/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 12: the small layers of a network.  The contract is in layers.h. */
#include <limits.h>
#include <math.h>

#include "grid.h"
#include "layers.h"

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES }; /* a block */

/** A shape as kernels get it: `plane` elements for each channel and image. */
struct planes {
    unsigned n;     /**< images */
    unsigned c;     /**< channels */
    unsigned plane; /**< height times width */
};

/** The channel of element i. */
__device__ static inline unsigned channel_of(unsigned i, struct planes p)
{
    return i / p.plane % p.c;
}

/** Number of elements, or -1 if the shape is invalid. */
static inline int element_count(const struct layer_shape *shape,
                                struct planes *planes)
{
    const int sizes[] = {shape->n, shape->c, shape->h, shape->w};
    long long count = 1;

    for (int i = 0; i < 4; i++) {
        count *= sizes[i];
        if (sizes[i] < 0 || count > INT_MAX) return -1;
    }
    planes->n = (unsigned)shape->n;
    planes->c = (unsigned)shape->c;
    planes->plane = (unsigned)shape->h * (unsigned)shape->w;
    return (int)count;
}

/** ReLU of x; a NaN stays NaN. */
__device__ static inline float relu(float x)
{
    return x < 0 ? 0 : x;
}

/** The gradient before a ReLU, from its output y. */
__device__ static inline float relu_grad(float y, float y_grad)
{
    return y <= 0 ? 0 : y_grad;
}

/** Number of blocks for n > 0 items, one per thread. */
static inline unsigned blocks_for(int n)
{
    return (unsigned)ceil_div((size_t)n, THREADS);
}

/** Index of this thread in the grid. */
__device__ static inline unsigned global_thread_index(void)
{
    return blockIdx.x * THREADS + threadIdx.x;
}

/** Philox4x32-10: four words of 32 random bits for each counter and key.
 *  Known answer: counter {0, 0, 0, 0}, key {0, 0} gives 6627e8d5 e169c58d
 *  bc57ac4c 9b00dbd8. */
__device__ static inline uint4 philox(uint4 counter, uint2 key)
{
    const unsigned a = 0xd2511f53, b = 0xcd9e8d57;

    for (int round = 0; round < 10; round++) {
        counter = make_uint4(__umulhi(b, counter.z) ^ counter.y ^ key.x,
                             b * counter.z,
                             __umulhi(a, counter.x) ^ counter.w ^ key.y,
                             a * counter.x);
        key.x += 0x9e3779b9;
        key.y += 0xbb67ae85;
    }
    return counter;
}

/** The words of elements 4 * quad to 4 * quad + 3. */
__device__ static inline uint4 dropout_random_words(unsigned quad,
                                                    struct dropout config)
{
    unsigned step = config.d_step ? (unsigned)*config.d_step : 0;

    return philox(
        make_uint4(quad, 0, step, 0),
        make_uint2((unsigned)config.seed, (unsigned)(config.seed >> 32)));
}

/** Scale a kept element by 1 / (1 - p); an element whose word is less than p *
 *  2^32 is dropped. */
__device__ static inline float apply_dropout(float x, unsigned word, float p)
{
    return word < (unsigned)(p * 0x1p32f) ? 0 : x * (1 / (1 - p));
}

int bias_forward(const struct layer_shape *shape, const float *d_x,
                 const float *d_bias, float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 1: a kernel with one element per thread; see channel_of(i, p) */
    return cudaErrorNotSupported;
}

int relu_forward(const float *d_x, float *d_y, int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 2: the same with relu() */
    return cudaErrorNotSupported;
}

int bias_relu_forward(const struct layer_shape *shape, const float *d_x,
                      const float *d_bias, float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 2: call both functions, or fuse them into one kernel */
    return cudaErrorNotSupported;
}

int relu_backward(const float *d_y, const float *d_y_grad, float *d_x_grad,
                  int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 3: the same with relu_grad() */
    return cudaErrorNotSupported;
}

int dropout_forward(const struct dropout *config, const float *d_x, float *d_y,
                    int n)
{
    if (n < 0 || !(config->p >= 0 && config->p < 1))
        return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    /* TODO 4: which word of dropout_random_words() belongs to which element?
     * Then apply_dropout() */
    return cudaErrorNotSupported;
}

int dropout_backward(const struct dropout *config, const float *d_y_grad,
                     float *d_x_grad, int n)
{
    /* TODO 4: how does backward differ from forward? */
    return cudaErrorNotSupported;
}

/** Input and output sizes of a pooling, as kernels get them. */
struct pooling {
    int h, w;              /**< input */
    int p, q;              /**< output */
    int size, stride, pad; /**< of the window */
};

/** Compute the output size.
 *  @return  false for an invalid shape */
static inline bool make_pooling(const struct pool_shape *shape,
                                struct pooling *pool, int *before, int *after)
{
    struct planes unused;

    if (shape->h < 1 || shape->w < 1 || shape->size < 1 || shape->size > 16
        || shape->stride < 1 || shape->pad < 0
        || shape->pad > shape->size / 2
        || shape->h > INT_MAX - 16 || shape->w > INT_MAX - 16
        || shape->h + 2 * shape->pad < shape->size
        || shape->w + 2 * shape->pad < shape->size)
        return false;
    *pool = (struct pooling){
        shape->h, shape->w,
        POOL_OUTPUT_SIZE(shape->h, shape->size, shape->stride, shape->pad),
        POOL_OUTPUT_SIZE(shape->w, shape->size, shape->stride, shape->pad),
        shape->size, shape->stride, shape->pad};
    struct layer_shape x = {shape->n, shape->c, pool->h, pool->w};
    struct layer_shape y = {shape->n, shape->c, pool->p, pool->q};
    *before = element_count(&x, &unused);
    *after = element_count(&y, &unused);
    return *before >= 0 && *after >= 0;
}

/** A thread owns one window.  Device pointers; n windows in all. */
__global__ void maxpool_kernel(const float *__restrict__ x, float *y,
                               unsigned char *argmax, struct pooling pool,
                               int n)
{
    /* TODO 5: which window does this thread own, and where does it start? */
    /* TODO 6: the maximum inside the plane; the first of equal elements; what
     * is the result of a comparison with NaN? */
}

int maxpool_forward(const struct pool_shape *shape, const float *d_x,
                    float *d_y, unsigned char *d_argmax)
{
    struct pooling pool;
    int before, after;

    if (!make_pooling(shape, &pool, &before, &after))
        return cudaErrorInvalidValue;
    if (after == 0) return cudaSuccess;
    /* TODO 7: launch */
    return cudaErrorNotSupported;
}

int maxpool_backward(const struct pool_shape *shape,
                     const unsigned char *d_argmax, const float *d_y_grad,
                     float *d_x_grad)
{
    struct pooling pool;
    int before, after;

    if (!make_pooling(shape, &pool, &before, &after))
        return cudaErrorInvalidValue;
    if (before == 0) return cudaSuccess;
    /* TODO 8: a thread owns one x, and checks each window that contains it */
    return cudaErrorNotSupported;
}

int bias_backward(const struct layer_shape *shape, const float *d_y_grad,
                  float *d_bias_grad)
{
    struct planes p;

    if (element_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    /* TODO 9: one block per channel: lab 04's tree over its elements */
    return cudaErrorNotSupported;
}

int bias_relu_backward(const struct layer_shape *shape, const float *d_y,
                       const float *d_y_grad, float *d_x_grad,
                       float *d_bias_grad)
{
    /* TODO 9: call both functions, or fuse them into one kernel */
    return cudaErrorNotSupported;
}

int softmax_forward(const struct layer_shape *shape, const float *d_x,
                    float *d_y)
{
    struct planes rows;
    int n = element_count(shape, &rows);

    if (n < 0 || shape->h != 1 || shape->w != 1) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    /* TODO 10: the maximum, the sum of exp(x - maximum), the quotient */
    return cudaErrorNotSupported;
}

int softmax_cross_entropy(const struct layer_shape *shape, const float *d_x,
                          const unsigned char *d_labels, float *d_losses,
                          float *d_x_grad)
{
    struct planes rows;

    if (element_count(shape, &rows) < 0 || shape->h != 1 || shape->w != 1)
        return cudaErrorInvalidValue;
    /* TODO 11: the loss of a row is log(sum) - (x at the label - maximum); is
     * the label a class?  Store the mean after the losses, also for no rows */
    return cudaErrorNotSupported;
}

/** Statistics and parameters of one channel. */
struct channel {
    float mean, inv_std, gamma, beta;
};

/** The statistics saved by the forward pass. */
__device__ static inline struct channel
load_saved_channel(struct batchnorm norm, unsigned c)
{
    struct channel channel = {norm.d_mean[c], norm.d_inv_std[c],
                              norm.d_gamma[c], norm.d_beta[c]};
    return channel;
}

/** y before the ReLU. */
__device__ static inline float apply_norm(float x, struct channel channel)
{
    return channel.gamma * ((x - channel.mean) * channel.inv_std)
           + channel.beta;
}

/** Save the statistics of a channel over m elements for the backward pass, and
 *  update the running statistics.  One thread calls it. */
__device__ static inline void
store_statistics(struct batchnorm norm, float mean, float var, unsigned m)
{
    const unsigned c = blockIdx.x;
    float unbiased = m > 1 ? var * m / (m - 1) : 0;

    norm.d_mean[c] = mean;
    norm.d_inv_std[c] = 1 / sqrtf(var + norm.epsilon);
    norm.d_running_mean[c] += norm.momentum * (mean - norm.d_running_mean[c]);
    norm.d_running_var[c] +=
        norm.momentum * (unbiased - norm.d_running_var[c]);
}

int batchnorm_inference(const struct layer_shape *shape,
                        const struct batchnorm *norm, const float *d_x,
                        float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 12: one element per thread, with the running statistics */
    return cudaErrorNotSupported;
}

int batchnorm_forward(const struct layer_shape *shape,
                      const struct batchnorm *norm, const float *d_x,
                      float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 13: one block per channel: its mean; its variance, from deviations;
     * store_statistics() by one thread; then apply_norm(), and relu() if
     * norm->relu */
    return cudaErrorNotSupported;
}

int batchnorm_backward(const struct layer_shape *shape,
                       const struct batchnorm *norm, const float *d_x,
                       const float *d_y_grad, float *d_x_grad)
{
    struct planes p;

    if (element_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    /* TODO 14: the gradients of beta and gamma are sums over the channel; the
     * gradient of x needs both; apply the mask of the ReLU first */
    return cudaErrorNotSupported;
}
