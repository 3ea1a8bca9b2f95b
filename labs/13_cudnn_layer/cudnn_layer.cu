/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 13: a step of a network by cuDNN and cuBLAS.  The contract is in
 *  cudnn_layer.h. */
#include <cublas_v2.h>
#include <cudnn.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "cudnn_layer.h"

/** One line on stderr when a call of cuDNN failed.  @return its status */
static inline int check_dnn(cudnnStatus_t status, const char *call, int line)
{
    if (status != CUDNN_STATUS_SUCCESS)
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cudnnGetErrorString(status));
    return (int)status;
}

/** The same for cuBLAS. */
static inline int check_blas(cublasStatus_t status, const char *call, int line)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cublasGetStatusString(status));
    return (int)status;
}

/** Unless `err` tells of an earlier failure, do the call. */
#define DNN(call) \
    (void)(err || (err = check_dnn((call), #call, __LINE__)))
/** Likewise. */
#define BLAS(call) \
    (void)(err || (err = check_blas((call), #call, __LINE__)))

/* The libraries read their factors from the host. */
static const float one = 1, zero = 0;

/** A layer: all that does not change from step to step. */
struct cudnn_layer {
    cudnnHandle_t dnn;
    cublasHandle_t blas;
    int n, classes, features;
    /* tensors: input, what the convolution makes, what pooling makes, the
     * classes' scores, the two biases */
    cudnnTensorDescriptor_t x, conv, pooled, scores, bias, dense_bias;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t convolution;
    cudnnActivationDescriptor_t relu;
    cudnnPoolingDescriptor_t pooling;
    /* what choose() decides */
    cudnnConvolutionFwdAlgo_t forward;
    cudnnConvolutionBwdDataAlgo_t data;
    cudnnConvolutionBwdFilterAlgo_t weights;
    size_t limit, workspace; /* bytes */
    /* device memory, one allocation that begins with the workspace */
    void *d_work;
    float *d_conv, *d_conv_grad;     /* after ReLU; [n][k][p][q] */
    float *d_pooled, *d_pooled_grad; /* [n][features] */
    float *d_logits;                 /* [n][classes] */
    /* where the parts of the parameters begin, in floats */
    size_t at_bias, at_dense, at_dense_bias;
};

/** Choose deterministic algorithms whose workspace is within the limit.
 *  @return 0, or a status */
static int choose(struct cudnn_layer *l);

static size_t floats_of(cudnnTensorDescriptor_t desc)
{
    size_t bytes = 0;

    cudnnGetTensorSizeInBytes(desc, &bytes);
    return bytes / sizeof(float);
}

/* An empty descriptor of each kind. */
static int make(struct cudnn_layer *l)
{
    cudnnTensorDescriptor_t *const tensors[] = {
        &l->x,      &l->conv, &l->pooled,
        &l->scores, &l->bias, &l->dense_bias};
    int err = 0;

    /* TODO 1: both handles, and a descriptor of each kind */
    (void)tensors;
    err = CUDNN_STATUS_NOT_SUPPORTED;
    return err;
}

/* A packed tensor of floats, NCHW. */
static cudnnStatus_t set(cudnnTensorDescriptor_t desc, int n, int c, int h,
                         int w)
{
    return cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW,
                                      CUDNN_DATA_FLOAT, n, c, h, w);
}

/* Say what each of them describes. */
static int describe(struct cudnn_layer *l, const struct cudnn_layer_shape *s)
{
    int n = 0, k = 0, p = 0, q = 0, err = 0;

    l->n = s->n;
    l->classes = s->classes;
    /* TODO 2: set each descriptor; the libraries tell the sizes of what a
     * convolution and a pooling make: n, k, p, q */
    (void)n;
    err = CUDNN_STATUS_NOT_SUPPORTED;
    l->features = k * p * q;
    l->at_bias = (size_t)s->k * s->c * s->r * s->s;
    l->at_dense = l->at_bias + s->k;
    l->at_dense_bias = l->at_dense + (size_t)l->features * s->classes;
    return err;
}

/* One allocation for all: the workspace, a multiple of 256 bytes, then what
 * forward leaves for backward. */
static int allocate(struct cudnn_layer *l)
{
    const size_t conv = floats_of(l->conv), pooled = floats_of(l->pooled);
    const size_t work = (l->workspace + 255) / 256 * 256;
    const size_t all = 2 * conv + 2 * pooled + floats_of(l->scores);
    const int err = CUDA_CHECK(cudaMalloc(&l->d_work,
                                          work + all * sizeof(float)));

    l->d_conv = (float *)((char *)l->d_work + work);
    l->d_conv_grad = l->d_conv + conv;
    l->d_pooled = l->d_conv_grad + conv;
    l->d_pooled_grad = l->d_pooled + pooled;
    l->d_logits = l->d_pooled_grad + pooled;
    return err;
}

size_t cudnn_layer_workspace(const struct cudnn_layer *layer)
{
    return layer->workspace;
}

void cudnn_layer_destroy(struct cudnn_layer *l)
{
    if (!l) return;
    /* TODO 3: whatever was made, in whatever order; create() may have
     * stopped halfway */
    free(l);
}

int cudnn_layer_create(struct cudnn_layer **layer,
                       const struct cudnn_layer_shape *shape, size_t limit,
                       cudaStream_t stream)
{
    struct cudnn_layer *l = (struct cudnn_layer *)calloc(1, sizeof *l);
    int err = l ? 0 : cudaErrorMemoryAllocation;

    *layer = NULL;
    if (!err) l->limit = limit;
    if (!err) err = make(l);
    if (!err) err = describe(l, shape);
    if (!err) err = choose(l);
    if (!err) err = allocate(l);
    /* TODO 4: on which stream do the two libraries queue their work? */
    if (err) {
        cudnn_layer_destroy(l);
        return err;
    }
    *layer = l;
    return 0;
}

enum { MOST_WAYS = 16 };

/** Its place among n; n when none will do.  T is one of the three
 *  cudnnConvolution...AlgoPerf_t, which differ in `algo` alone. */
template <class T> static int pick(const T *ways, int n, size_t limit)
{
    int i = 0;

    while (i < n
           && (ways[i].status != CUDNN_STATUS_SUCCESS
               || ways[i].determinism != CUDNN_DETERMINISTIC
               || ways[i].mathType == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION
               || ways[i].memory > limit))
        i++;
    return i;
}

/** Take it: its algorithm, and room for it in the workspace. */
template <class T, class Algo>
static int take(struct cudnn_layer *l, const T *ways, int n, Algo *algo)
{
    const int i = pick(ways, n, l->limit);

    if (i == n) return CUDNN_STATUS_NOT_SUPPORTED;
    *algo = ways[i].algo;
    if (ways[i].memory > l->workspace) l->workspace = ways[i].memory;
    return 0;
}

static int choose(struct cudnn_layer *l)
{
    /* TODO 5: ask for the algorithms of all three directions, best first,
     * and take() the first of each that will do */
    return CUDNN_STATUS_NOT_SUPPORTED;
}

/** relu(convolution + bias), into l->d_conv.  @return 0, or a status */
static int convolve(struct cudnn_layer *l, const float *d_x,
                    const float *d_filter, const float *d_bias);

int cudnn_layer_forward(struct cudnn_layer *l, const float *d_x,
                        const float *d_target, const float *d_parameters,
                        float *d_scores, float *d_loss)
{
    const float *d_dense = d_parameters + l->at_dense;
    int err = convolve(l, d_x, d_parameters, d_parameters + l->at_bias);

    /* TODO 7: pool l->d_conv, multiply by the dense weights, add their bias,
     * take the logarithm of the softmax, and the loss */
    (void)d_dense;
    err = CUDNN_STATUS_NOT_SUPPORTED;
    return err;
}

/* TODO 8: the way back, each step with the call whose name ends in
 * Backward..., the dense layer with two products */

int cudnn_layer_backward(struct cudnn_layer *l, const float *d_x,
                         const float *d_target, const float *d_parameters,
                         const float *d_scores, float *d_gradients,
                         float *d_x_grad)
{
    return CUDNN_STATUS_NOT_SUPPORTED;
}


static int convolve(struct cudnn_layer *l, const float *d_x,
                    const float *d_filter, const float *d_bias)
{
    int err = 0;

    /* TODO 6: the convolution, its bias and ReLU, into l->d_conv; first with
     * a call each */
    err = CUDNN_STATUS_NOT_SUPPORTED;
    return err;
}
