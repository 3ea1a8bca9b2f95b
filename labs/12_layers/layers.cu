/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 12: the layers between convolutions and matrix products.  The
 *  contract is in layers.h. */
#include <limits.h>
#include <math.h>

#include "grid.h"
#include "layers.h"

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES }; /* a block */

/** A shape as kernels take it: `plane` places of each channel and image. */
struct planes {
    unsigned n;     /**< images */
    unsigned c;     /**< channels */
    unsigned plane; /**< height times width */
};

/** The channel that element i belongs to. */
__device__ static inline unsigned channel_of(unsigned i, struct planes p)
{
    return i / p.plane % p.c;
}

/** Elements of the shape, or -1 when it makes no sense. */
static inline int shape_count(const struct layer_shape *shape,
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

/** What stays of x behind a ReLU; a NaN stays. */
__device__ static inline float relu(float x)
{
    return x < 0 ? 0 : x;
}

/** What passes a ReLU backward that gave y. */
__device__ static inline float relu_grad(float y, float y_grad)
{
    return y <= 0 ? 0 : y_grad;
}

/** Blocks for n > 0 items, one a thread. */
static inline unsigned blocks_for(int n)
{
    return (unsigned)tiles_for((size_t)n, THREADS);
}

/** This thread's number in the grid. */
__device__ static inline unsigned thread_number(void)
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
__device__ static inline uint4 dropout_words(unsigned quad, struct dropout how)
{
    unsigned step = how.d_step ? (unsigned)*how.d_step : 0;

    return philox(make_uint4(quad, 0, step, 0),
                  make_uint2((unsigned)how.seed, (unsigned)(how.seed >> 32)));
}

/** Kept elements' factor is 1 / (1 - p); words below the limit drop theirs. */
__device__ static inline float keep(float x, unsigned word, float p)
{
    return word < (unsigned)(p * 0x1p32f) ? 0 : x * (1 / (1 - p));
}
int bias_forward(const struct layer_shape *shape, const float *d_x,
                 const float *d_bias, float *d_y)
{
    struct planes p;
    int n = shape_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 1: a kernel, a thread an element; channel_of(i, p) helps */
    return cudaErrorNotSupported;
}

int relu_forward(const float *d_x, float *d_y, int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 2: likewise, with relu() */
    return cudaErrorNotSupported;
}

int bias_relu_forward(const struct layer_shape *shape, const float *d_x,
                      const float *d_bias, float *d_y)
{
    struct planes p;
    int n = shape_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 2: call the two, or make one kernel of both */
    return cudaErrorNotSupported;
}

int relu_backward(const float *d_y, const float *d_y_grad, float *d_x_grad,
                  int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 3: likewise, with relu_grad() */
    return cudaErrorNotSupported;
}

int dropout_forward(const struct dropout *how, const float *d_x, float *d_y,
                    int n)
{
    if (n < 0 || !(how->p >= 0 && how->p < 1)) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    /* TODO 4: dropout_words(): which element has which?  Then keep() */
    return cudaErrorNotSupported;
}

int dropout_backward(const struct dropout *how, const float *d_y_grad,
                     float *d_x_grad, int n)
{
    /* TODO 4: what does the backward do otherwise? */
    return cudaErrorNotSupported;
}
/** Both sides of a pooling as kernels take them. */
struct pooling {
    int h, w;              /**< before */
    int p, q;              /**< after */
    int size, stride, pad; /**< of the window */
};

/** Fill in both sides.  @return false for a shape that makes no sense */
static inline bool pooling_of(const struct pool_shape *shape,
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
        POOL_OUT(shape->h, shape->size, shape->stride, shape->pad),
        POOL_OUT(shape->w, shape->size, shape->stride, shape->pad),
        shape->size, shape->stride, shape->pad};
    struct layer_shape x = {shape->n, shape->c, pool->h, pool->w};
    struct layer_shape y = {shape->n, shape->c, pool->p, pool->q};
    *before = shape_count(&x, &unused);
    *after = shape_count(&y, &unused);
    return *before >= 0 && *after >= 0;
}

/** A thread owns one window.  Device pointers; n windows in all. */
__global__ void pool_largest(const float *__restrict__ x, float *y,
                             unsigned char *winner, struct pooling pool,
                             int n)
{
    /* TODO 5: which window is this thread's, and where does it begin? */
    /* TODO 6: the largest within the plane; the first of equal ones; what
     * do comparisons with NaN give? */
}

int maxpool_forward(const struct pool_shape *shape, const float *d_x,
                    float *d_y, unsigned char *d_winner)
{
    struct pooling pool;
    int before, after;

    if (!pooling_of(shape, &pool, &before, &after))
        return cudaErrorInvalidValue;
    if (after == 0) return cudaSuccess;
    /* TODO 7: launch */
    return cudaErrorNotSupported;
}

int maxpool_backward(const struct pool_shape *shape,
                     const unsigned char *d_winner, const float *d_y_grad,
                     float *d_x_grad)
{
    struct pooling pool;
    int before, after;

    if (!pooling_of(shape, &pool, &before, &after))
        return cudaErrorInvalidValue;
    if (before == 0) return cudaSuccess;
    /* TODO 8: a thread owns one x, and asks each window that holds it */
    return cudaErrorNotSupported;
}
int bias_backward(const struct layer_shape *shape, const float *d_y_grad,
                  float *d_bias_grad)
{
    struct planes p;

    if (shape_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    /* TODO 9: a block a channel: lab 04's tree over its elements */
    return cudaErrorNotSupported;
}

int bias_relu_backward(const struct layer_shape *shape, const float *d_y,
                       const float *d_y_grad, float *d_x_grad,
                       float *d_bias_grad)
{
    /* TODO 9: call the two, or make one kernel of both */
    return cudaErrorNotSupported;
}
int softmax_forward(const struct layer_shape *shape, const float *d_x,
                    float *d_y)
{
    struct planes rows;
    int n = shape_count(shape, &rows);

    if (n < 0 || shape->h != 1 || shape->w != 1) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    /* TODO 10: the largest, the sum of exp(x - largest), the quotient */
    return cudaErrorNotSupported;
}

int softmax_loss(const struct layer_shape *shape, const float *d_x,
                 const unsigned char *d_labels, float *d_losses,
                 float *d_x_grad)
{
    struct planes rows;

    if (shape_count(shape, &rows) < 0 || shape->h != 1 || shape->w != 1)
        return cudaErrorInvalidValue;
    /* TODO 11: a row's loss is log(sum) - (x at the label - largest); is the
     * label a class?  Behind the losses their mean, of no rows too */
    return cudaErrorNotSupported;
}
/** One channel's four numbers. */
struct channel {
    float mean, inv_std, gamma, beta;
};

/** As the forward left them. */
__device__ static inline struct channel saved_channel(struct batchnorm norm,
                                                      unsigned c)
{
    struct channel channel = {norm.d_mean[c], norm.d_inv_std[c],
                              norm.d_gamma[c], norm.d_beta[c]};
    return channel;
}

/** y before the ReLU. */
__device__ static inline float normal(float x, struct channel channel)
{
    return channel.gamma * ((x - channel.mean) * channel.inv_std)
           + channel.beta;
}

/** A channel's statistics over m elements: kept for the backward, and added
 *  to the running averages.  For one thread. */
__device__ static inline void keep_statistics(struct batchnorm norm, float mean,
                                              float var, unsigned m)
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
    int n = shape_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 12: a thread an element, with the running averages */
    return cudaErrorNotSupported;
}

int batchnorm_forward(const struct layer_shape *shape,
                      const struct batchnorm *norm, const float *d_x,
                      float *d_y)
{
    struct planes p;
    int n = shape_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    /* TODO 13: a block a channel: its mean; its variance, from deviations;
     * keep_statistics() by one thread; then normal(), and relu() if asked */
    return cudaErrorNotSupported;
}

int batchnorm_backward(const struct layer_shape *shape,
                       const struct batchnorm *norm, const float *d_x,
                       const float *d_y_grad, float *d_x_grad)
{
    struct planes p;

    if (shape_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    /* TODO 14: beta's and gamma's gradients are sums over the channel; the
     * gradient of x needs both, and comes through the ReLU first */
    return cudaErrorNotSupported;
}
