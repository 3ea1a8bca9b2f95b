/* SPDX-License-Identifier: MIT */
/** @file
 *  The contents of a layer, and its creation and destruction. */
#ifndef CUDNN_LAYER_LAYER_H
#define CUDNN_LAYER_LAYER_H

#include "status.h"

/** A layer: everything that does not change from step to step. */
struct cudnn_layer {
    cudnnHandle_t dnn;
    cublasHandle_t blas;
    int n, classes, features;
    /* tensors: input, output of the convolution, output of the pooling, scores
     * of the classes, the two biases */
    cudnnTensorDescriptor_t x, conv, pooled, scores, bias, dense_bias;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t convolution;
    cudnnActivationDescriptor_t relu;
    cudnnPoolingDescriptor_t pooling;
    /* chosen by choose_algorithms() */
    cudnnConvolutionFwdAlgo_t forward;
    cudnnConvolutionBwdDataAlgo_t data;
    cudnnConvolutionBwdFilterAlgo_t weights;
    size_t limit, workspace; /* bytes */
    /* device memory, one allocation that starts with the workspace */
    void *d_work;
    float *d_conv, *d_conv_grad;     /* after ReLU; [n][k][p][q] */
    float *d_pooled, *d_pooled_grad; /* [n][features] */
    float *d_logits;                 /* [n][classes] */
    /* offsets of the parts of the parameters, in floats */
    size_t bias_offset, dense_offset, dense_bias_offset;
};

/** Choose deterministic algorithms whose workspace is within the limit.
 *  @return  0, or a status */
static int choose_algorithms(struct cudnn_layer *l);

static size_t tensor_floats(cudnnTensorDescriptor_t desc)
{
    size_t bytes = 0;

    cudnnGetTensorSizeInBytes(desc, &bytes);
    return bytes / sizeof(float);
}

/* Create the handles, and an empty descriptor of each kind. */
static int create_descriptors(struct cudnn_layer *l)
{
    cudnnTensorDescriptor_t *const tensors[] = {
        &l->x,      &l->conv, &l->pooled,
        &l->scores, &l->bias, &l->dense_bias};
    int err = 0;

    TRY_CUDNN(cudnnCreate(&l->dnn));
    TRY_CUBLAS(cublasCreate(&l->blas));
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        TRY_CUDNN(cudnnCreateTensorDescriptor(tensors[i]));
    TRY_CUDNN(cudnnCreateFilterDescriptor(&l->filter));
    TRY_CUDNN(cudnnCreateConvolutionDescriptor(&l->convolution));
    TRY_CUDNN(cudnnCreateActivationDescriptor(&l->relu));
    TRY_CUDNN(cudnnCreatePoolingDescriptor(&l->pooling));
    return err;
}

/* A packed tensor of floats, NCHW. */
static cudnnStatus_t set_tensor(cudnnTensorDescriptor_t desc, int n, int c,
                                int h, int w)
{
    return cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW,
                                      CUDNN_DATA_FLOAT, n, c, h, w);
}

/* Set all descriptors. */
static int set_descriptors(struct cudnn_layer *l,
                           const struct cudnn_layer_shape *s)
{
    int n = 0, k = 0, p = 0, q = 0, err = 0;

    l->n = s->n;
    l->classes = s->classes;
    TRY_CUDNN(set_tensor(l->x, s->n, s->c, s->h, s->w));
    TRY_CUDNN(set_tensor(l->scores, s->n, s->classes, 1, 1));
    TRY_CUDNN(set_tensor(l->bias, 1, s->k, 1, 1));
    TRY_CUDNN(set_tensor(l->dense_bias, 1, s->classes, 1, 1));
    TRY_CUDNN(cudnnSetFilter4dDescriptor(l->filter, CUDNN_DATA_FLOAT,
                                         CUDNN_TENSOR_NCHW, s->k, s->c, s->r,
                                         s->s));
    TRY_CUDNN(cudnnSetConvolution2dDescriptor(l->convolution, s->pad, s->pad, 1,
                                              1, 1, 1, CUDNN_CROSS_CORRELATION,
                                              CUDNN_DATA_FLOAT));
    TRY_CUDNN(cudnnSetConvolutionMathType(l->convolution, CUDNN_FMA_MATH));
    TRY_CUDNN(cudnnGetConvolution2dForwardOutputDim(l->convolution, l->x,
                                                    l->filter, &n, &k, &p, &q));
    TRY_CUDNN(set_tensor(l->conv, n, k, p, q));
    TRY_CUDNN(cudnnSetActivationDescriptor(l->relu, CUDNN_ACTIVATION_RELU,
                                           CUDNN_PROPAGATE_NAN, 0));
    TRY_CUDNN(
        cudnnSetPooling2dDescriptor(l->pooling, CUDNN_POOLING_MAX_DETERMINISTIC,
                                    CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
    TRY_CUDNN(
        cudnnGetPooling2dForwardOutputDim(l->pooling, l->conv, &n, &k, &p, &q));
    TRY_CUDNN(set_tensor(l->pooled, n, k, p, q));
    l->features = k * p * q;
    l->bias_offset = (size_t)s->k * s->c * s->r * s->s;
    l->dense_offset = l->bias_offset + s->k;
    l->dense_bias_offset = l->dense_offset + (size_t)l->features * s->classes;
    return err;
}

/* One allocation for everything: the workspace, rounded up to 256 bytes, then
 * the activations that forward saves for backward. */
static int allocate(struct cudnn_layer *l)
{
    const size_t conv = tensor_floats(l->conv),
                 pooled = tensor_floats(l->pooled);
    const size_t work = (l->workspace + 255) / 256 * 256;
    const size_t all = 2 * conv + 2 * pooled + tensor_floats(l->scores);
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
    if (!err) err = create_descriptors(l);
    if (!err) err = set_descriptors(l, shape);
    if (!err) err = choose_algorithms(l);
    if (!err) err = allocate(l);
    if (!err) TRY_CUDNN(cudnnSetStream(l->dnn, stream));
    if (!err) TRY_CUBLAS(cublasSetStream(l->blas, stream));
    if (err) {
        cudnn_layer_destroy(l);
        return err;
    }
    *layer = l;
    return 0;
}

#endif
