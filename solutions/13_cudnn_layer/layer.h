/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  What a layer holds, and its making and unmaking.
 */
#ifndef CUDNN_LAYER_LAYER_H
#define CUDNN_LAYER_LAYER_H

#include "calls.h"

// END SOLUTION
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

// BEGIN SOLUTION
    DNN(cudnnCreate(&l->dnn));
    BLAS(cublasCreate(&l->blas));
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        DNN(cudnnCreateTensorDescriptor(tensors[i]));
    DNN(cudnnCreateFilterDescriptor(&l->filter));
    DNN(cudnnCreateConvolutionDescriptor(&l->convolution));
    DNN(cudnnCreateActivationDescriptor(&l->relu));
    DNN(cudnnCreatePoolingDescriptor(&l->pooling));
// HANDOUT
//     /* TODO 1: both handles, and a descriptor of each kind */
//     (void)tensors;
//     err = CUDNN_STATUS_NOT_SUPPORTED;
// END SOLUTION
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
// BEGIN SOLUTION
    DNN(set(l->x, s->n, s->c, s->h, s->w));
    DNN(set(l->scores, s->n, s->classes, 1, 1));
    DNN(set(l->bias, 1, s->k, 1, 1));
    DNN(set(l->dense_bias, 1, s->classes, 1, 1));
    DNN(cudnnSetFilter4dDescriptor(l->filter, CUDNN_DATA_FLOAT,
                                   CUDNN_TENSOR_NCHW, s->k, s->c, s->r, s->s));
    DNN(cudnnSetConvolution2dDescriptor(l->convolution, s->pad, s->pad, 1, 1, 1,
                                        1, CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
    DNN(cudnnSetConvolutionMathType(l->convolution, CUDNN_FMA_MATH));
    DNN(cudnnGetConvolution2dForwardOutputDim(l->convolution, l->x, l->filter,
                                              &n, &k, &p, &q));
    DNN(set(l->conv, n, k, p, q));
    DNN(cudnnSetActivationDescriptor(l->relu, CUDNN_ACTIVATION_RELU,
                                     CUDNN_PROPAGATE_NAN, 0));
    DNN(cudnnSetPooling2dDescriptor(l->pooling, CUDNN_POOLING_MAX_DETERMINISTIC,
                                    CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
    DNN(cudnnGetPooling2dForwardOutputDim(l->pooling, l->conv, &n, &k, &p, &q));
    DNN(set(l->pooled, n, k, p, q));
// HANDOUT
//     /* TODO 2: set each descriptor; the libraries tell the sizes of what a
//      * convolution and a pooling make: n, k, p, q */
//     (void)n;
//     err = CUDNN_STATUS_NOT_SUPPORTED;
// END SOLUTION
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
// BEGIN SOLUTION
    cudnnTensorDescriptor_t const tensors[] = {
        l->x, l->conv, l->pooled, l->scores, l->bias, l->dense_bias};

    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        if (tensors[i]) cudnnDestroyTensorDescriptor(tensors[i]);
    if (l->filter) cudnnDestroyFilterDescriptor(l->filter);
    if (l->convolution) cudnnDestroyConvolutionDescriptor(l->convolution);
    if (l->relu) cudnnDestroyActivationDescriptor(l->relu);
    if (l->pooling) cudnnDestroyPoolingDescriptor(l->pooling);
    if (l->blas) cublasDestroy(l->blas);
    if (l->dnn) cudnnDestroy(l->dnn);
    cudaFree(l->d_work);
// HANDOUT
//     /* TODO 3: whatever was made, in whatever order; create() may have
//      * stopped halfway */
// END SOLUTION
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
// BEGIN SOLUTION
    if (!err) DNN(cudnnSetStream(l->dnn, stream));
    if (!err) BLAS(cublasSetStream(l->blas, stream));
// HANDOUT
//     /* TODO 4: on which stream do the two libraries queue their work? */
// END SOLUTION
    if (err) {
        cudnn_layer_destroy(l);
        return err;
    }
    *layer = l;
    return 0;
}

// BEGIN SOLUTION
#endif
// END SOLUTION
