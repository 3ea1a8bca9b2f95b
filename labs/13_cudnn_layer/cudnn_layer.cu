/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 13: a step of a network with cuDNN and cuBLAS.  The contract is in
 *  cudnn_layer.h. */
#include <cublas_v2.h>
#include <cudnn.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "cudnn_layer.h"

/** Print one line on stderr if a call of cuDNN failed.
 *  @return  its status */
static inline int check_cudnn(cudnnStatus_t status, const char *call, int line)
{
    if (status != CUDNN_STATUS_SUCCESS)
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cudnnGetErrorString(status));
    return (int)status;
}

/** The same for cuBLAS. */
static inline int check_cublas(cublasStatus_t status, const char *call,
                               int line)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        fprintf(stderr, "line %d: %s: %s\n", line, call,
                cublasGetStatusString(status));
    return (int)status;
}

/** Make the call, unless `err` has the status of an earlier failure. */
#define TRY_CUDNN(call) \
    (void)(err || (err = check_cudnn((call), #call, __LINE__)))
/** The same for cuBLAS. */
#define TRY_CUBLAS(call) \
    (void)(err || (err = check_cublas((call), #call, __LINE__)))

/* the libraries load their scaling factors from host memory */
static const float one = 1, zero = 0;

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

    /* TODO 1: create both handles, and all descriptors */
    (void)tensors;
    err = CUDNN_STATUS_NOT_SUPPORTED;
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
    /* TODO 2: set each descriptor; the library returns the output sizes of a
     * convolution and of a pooling: n, k, p, q */
    (void)n;
    err = CUDNN_STATUS_NOT_SUPPORTED;
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
    /* TODO 3: destroy everything that was created; create() may have stopped
     * halfway */
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
    /* TODO 4: on which stream do the two libraries enqueue their work? */
    if (err) {
        cudnn_layer_destroy(l);
        return err;
    }
    *layer = l;
    return 0;
}

enum { MAX_ALGORITHMS = 16 };

/** Its index among n; n if none is allowed.  T is one of the three
 *  cudnnConvolution...AlgoPerf_t, which differ only in the type of `algo`. */
template <class T> static int pick(const T *candidates, int n, size_t limit)
{
    int i = 0;

    while (
        i < n
        && (candidates[i].status != CUDNN_STATUS_SUCCESS
            || candidates[i].determinism != CUDNN_DETERMINISTIC
            || candidates[i].mathType == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION
            || candidates[i].memory > limit))
        i++;
    return i;
}

/** Use it: store its algorithm, and enlarge the workspace if necessary. */
template <class T, class Algorithm>
static int use_algorithm(struct cudnn_layer *l, const T *candidates, int n,
                         Algorithm *algo)
{
    const int i = pick(candidates, n, l->limit);

    if (i == n) return CUDNN_STATUS_NOT_SUPPORTED;
    *algo = candidates[i].algo;
    if (candidates[i].memory > l->workspace)
        l->workspace = candidates[i].memory;
    return 0;
}

static int choose_algorithms(struct cudnn_layer *l)
{
    /* TODO 5: query the algorithms of all three directions, fastest first, and
     * use_algorithm() for each */
    return CUDNN_STATUS_NOT_SUPPORTED;
}

/** relu(convolution + bias), into l->d_conv.  @return 0, or a status */
static int conv_bias_relu(struct cudnn_layer *l, const float *d_x,
                          const float *d_filter, const float *d_bias);

int cudnn_layer_forward(struct cudnn_layer *l, const float *d_x,
                        const float *d_target, const float *d_parameters,
                        float *d_scores, float *d_loss)
{
    const float *d_dense = d_parameters + l->dense_offset;
    int err =
        conv_bias_relu(l, d_x, d_parameters, d_parameters + l->bias_offset);

    /* TODO 7: pool l->d_conv, multiply by the dense weights, add their bias,
     * compute the log-softmax, and the loss */
    (void)d_dense;
    err = CUDNN_STATUS_NOT_SUPPORTED;
    return err;
}

/* TODO 8: the backward pass, each layer with the call cudnn...Backward..., the
 * dense layer with two matrix multiplications */

int cudnn_layer_backward(struct cudnn_layer *l, const float *d_x,
                         const float *d_target, const float *d_parameters,
                         const float *d_scores, float *d_gradients,
                         float *d_x_grad)
{
    return CUDNN_STATUS_NOT_SUPPORTED;
}


static int conv_bias_relu(struct cudnn_layer *l, const float *d_x,
                          const float *d_filter, const float *d_bias)
{
    int err = 0;

    /* TODO 6: the convolution, its bias and ReLU, into l->d_conv; first with
     * one call for each */
    err = CUDNN_STATUS_NOT_SUPPORTED;
    return err;
}
