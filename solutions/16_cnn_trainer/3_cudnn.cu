/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 16, step 3: the same step with libraries. cuDNN computes convolution,
 *  bias, ReLU, pooling and batch normalization, cuBLAS the dense layers; loss,
 *  dropout and update are those of step 2.  The contract is in cnn_trainer.h.
 */
#include <cublas_v2.h>
#include <cudnn.h>

#include "cnn_trainer.h"
#include "loss_update.h"
#include "residual_kernels.h"

/** Handles and descriptors, created at the first call and kept. */
static struct library {
    cudnnHandle_t dnn;
    cublasHandle_t blas;
    cudnnTensorDescriptor_t in, out, channel;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t conv;
    cudnnPoolingDescriptor_t pool;
    cudnnActivationDescriptor_t relu;
    bool made; /**< all of the above exist */
} lib;

static const float one = 1, zero = 0;

/** Make a call of cuDNN or cuBLAS, unless an earlier call failed. */
#define TRY(call)                                                             \
    do {                                                                      \
        if (!pass->status) pass->status = (call) ? cudaErrorUnknown           \
                                                 : cudaSuccess;               \
    } while (0)

/** The state of a step. */
struct pass {
    const struct step *step; /**< its arrays */
    size_t work;             /**< bytes of workspace for convolutions */
    bool training;           /**< training or evaluation */
    int status;              /**< of the first call that failed */
};

static void create_library(struct pass *pass)
{
    if (lib.made) return;
    TRY(cudnnCreate(&lib.dnn));
    TRY(cublasCreate(&lib.blas));
    TRY(cudnnCreateTensorDescriptor(&lib.in));
    TRY(cudnnCreateTensorDescriptor(&lib.out));
    TRY(cudnnCreateTensorDescriptor(&lib.channel));
    TRY(cudnnCreateFilterDescriptor(&lib.filter));
    TRY(cudnnCreateConvolutionDescriptor(&lib.conv));
    TRY(cudnnCreatePoolingDescriptor(&lib.pool));
    TRY(cudnnCreateActivationDescriptor(&lib.relu));
    TRY(cudnnSetActivationDescriptor(lib.relu, CUDNN_ACTIVATION_RELU,
                                     CUDNN_PROPAGATE_NAN, 0));
    TRY(cudnnSetStream(lib.dnn, cudaStreamPerThread));
    TRY(cublasSetStream(lib.blas, cudaStreamPerThread));
    lib.made = !pass->status;
}

static cudnnStatus_t set_tensor(cudnnTensorDescriptor_t tensor, int n,
                                const struct image_shape *shape)
{
    return cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW,
                                      CUDNN_DATA_FLOAT, n, shape->channels,
                                      shape->height, shape->width);
}

/** Set all descriptors of a layer. */
static void set_descriptors(struct pass *pass, const struct layer *layer, int n)
{
    const int c = layer->out.channels;
    TRY(set_tensor(lib.in, n, &layer->in));
    TRY(set_tensor(lib.out, n, &layer->out));
    TRY(cudnnSetTensor4dDescriptor(lib.channel, CUDNN_TENSOR_NCHW,
                                   CUDNN_DATA_FLOAT, 1, c, 1, 1));
    if (layer->kind == LAYER_MAXPOOL)
        TRY(cudnnSetPooling2dDescriptor(
            lib.pool, CUDNN_POOLING_MAX_DETERMINISTIC, CUDNN_PROPAGATE_NAN,
            layer->rows, layer->columns, 0, 0, layer->stride, layer->stride));
    if (layer->kind != LAYER_CONV) return;
    TRY(cudnnSetFilter4dDescriptor(lib.filter, CUDNN_DATA_FLOAT,
                                   CUDNN_TENSOR_NCHW, c, layer->in.channels,
                                   layer->rows, layer->columns));
    TRY(cudnnSetConvolution2dDescriptor(
        lib.conv, layer->pad, layer->pad, layer->stride, layer->stride, 1, 1,
        CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    TRY(cudnnSetConvolutionMathType(lib.conv, CUDNN_FMA_MATH));
}

/* Deterministic algorithms. */
static const cudnnConvolutionFwdAlgo_t fwd_algo =
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
static const cudnnConvolutionBwdDataAlgo_t bwd_data_algo =
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
static const cudnnConvolutionBwdFilterAlgo_t bwd_filter_algo =
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;

size_t train_workspace(const struct network *net, int batch)
{
    struct pass all = {}, *pass = &all;
    size_t largest = ((size_t)2 * batch + SCRATCH) * sizeof(float);
    create_library(pass);
    if (net->layers[0].kind == LAYER_BATCHNORM)
        largest += batch * shape_elements(&net->in) * sizeof(float);
    for (int i = 0; i < net->count; i++) {
        size_t need[3] = {};
        if (net->layers[i].kind != LAYER_CONV) continue;
        set_descriptors(pass, &net->layers[i], batch);
        TRY(cudnnGetConvolutionForwardWorkspaceSize(lib.dnn, lib.in, lib.filter,
                                                    lib.conv, lib.out, fwd_algo,
                                                    &need[0]));
        TRY(cudnnGetConvolutionBackwardDataWorkspaceSize(
            lib.dnn, lib.filter, lib.out, lib.conv, lib.in, bwd_data_algo,
            &need[1]));
        TRY(cudnnGetConvolutionBackwardFilterWorkspaceSize(
            lib.dnn, lib.in, lib.out, lib.conv, lib.filter, bwd_filter_algo,
            &need[2]));
        for (int j = 0; j < 3; j++)
            if (need[j] > largest) largest = need[j];
    }
    return largest;
}

static const float *input_of(const struct pass *pass, int i)
{
    return i ? pass->step->d_out[i - 1] : pass->step->d_images;
}

static uint64_t seed_of(const struct pass *pass, int i)
{
    return pass->step->seed ^ (uint64_t)(i + 1) * 0x632be59bd9b4e019u;
}

/** Row-major C = A B with the column-major cuBLAS. */
static cublasStatus_t dense(cublasOperation_t a, cublasOperation_t b,
                            const int mnk[3], const float *d_a, int lda,
                            const float *d_b, int ldb, float *d_c)
{
    return cublasSgemm(lib.blas, b, a, mnk[1], mnk[0], mnk[2], &one, d_b, ldb,
                       d_a, lda, &zero, d_c, mnk[1]);
}

static void weights_forward(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const float *weights = step->d_parameters + layer->weight_offset;
    const int in = (int)shape_elements(&layer->in), k = layer->out.channels;
    const int mnk[] = {step->count, k, in};

    if (layer->kind == LAYER_CONV)
        TRY(cudnnConvolutionForward(lib.dnn, &one, lib.in, input_of(pass, i),
                                    lib.filter, weights, lib.conv, fwd_algo,
                                    step->d_workspace, pass->work, &zero,
                                    lib.out, step->d_out[i]));
    else
        TRY(dense(CUBLAS_OP_N, CUBLAS_OP_N, mnk, input_of(pass, i), in,
                  weights, k, step->d_out[i]));
    TRY(cudnnAddTensor(lib.dnn, &one, lib.channel,
                       step->d_parameters + layer->bias_offset, &one, lib.out,
                       step->d_out[i]));
}

static void batchnorm_layer_forward(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const float *gamma = step->d_parameters + layer->weight_offset;
    const float *beta = step->d_parameters + layer->bias_offset;
    float *mean =
        step->d_running_stats + step_running_stats_offset(step->net, i);
    float *variance = mean + layer->weights, *saved = step->d_saved[i];

    if (pass->training)
        TRY(cudnnBatchNormalizationForwardTraining(
            lib.dnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, lib.in,
            input_of(pass, i), lib.out, step->d_out[i], lib.channel, gamma,
            beta, 0.1, mean, variance, 1e-5, saved,
            saved + layer->weights));
    else
        TRY(cudnnBatchNormalizationForwardInference(
            lib.dnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, lib.in,
            input_of(pass, i), lib.out, step->d_out[i], lib.channel, gamma,
            beta, mean, variance, 1e-5));
}

static void forward(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const float *from = input_of(pass, i);
    float *to = step->d_out[i];
    const size_t n = step->count * shape_elements(&layer->out);

    set_descriptors(pass, layer, step->count);
    switch (layer->kind) {
    case LAYER_CONV:
    case LAYER_DENSE:
        weights_forward(pass, i);
        break;
    case LAYER_BATCHNORM:
        batchnorm_layer_forward(pass, i);
        break;
    case LAYER_RELU:
        TRY(cudnnActivationForward(lib.dnn, lib.relu, &one, lib.in, from,
                                   &zero, lib.out, to));
        break;
    case LAYER_MAXPOOL:
        TRY(cudnnPoolingForward(lib.dnn, lib.pool, &one, lib.in, from, &zero,
                                lib.out, to));
        break;
    case LAYER_AVGPOOL:
    case LAYER_ADD:
        residual_forward(step, i);
        break;
    case LAYER_DROPOUT:
        dropout<<<blocks_for(n), THREADS>>>(
            from, to, n, pass->training ? layer->drop : 0, seed_of(pass, i),
            step->d_step);
        break;
    }
}

static void weights_backward(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const float *weights = step->d_parameters + layer->weight_offset;
    const float *grad = step->d_out_grad[i];
    float *weight_grad = step->d_gradients + layer->weight_offset;
    const int in = (int)shape_elements(&layer->in), k = layer->out.channels;
    const int for_weights[] = {in, k, step->count};
    const int for_input[] = {step->count, in, k};

    TRY(cudnnConvolutionBackwardBias(lib.dnn, &one, lib.out, grad, &zero,
                                     lib.channel,
                                     step->d_gradients + layer->bias_offset));
    if (layer->kind == LAYER_CONV)
        TRY(cudnnConvolutionBackwardFilter(
            lib.dnn, &one, lib.in, input_of(pass, i), lib.out, grad, lib.conv,
            bwd_filter_algo, step->d_workspace, pass->work, &zero, lib.filter,
            weight_grad));
    else
        TRY(dense(CUBLAS_OP_T, CUBLAS_OP_N, for_weights, input_of(pass, i),
                  in, grad, k, weight_grad));
    if (i == 0) return;
    if (layer->kind == LAYER_CONV)
        TRY(cudnnConvolutionBackwardData(
            lib.dnn, &one, lib.filter, weights, lib.out, grad, lib.conv,
            bwd_data_algo, step->d_workspace, pass->work, &zero, lib.in,
            step->d_out_grad[i - 1]));
    else
        TRY(dense(CUBLAS_OP_N, CUBLAS_OP_T, for_input, grad, k, weights, k,
                  step->d_out_grad[i - 1]));
}

static void back(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const float *from = input_of(pass, i), *grad = step->d_out_grad[i];
    const float *out = step->d_out[i];
    /* Batch normalization also computes the gradient with respect to the
     * images: it is discarded in d_workspace. */
    float *to = i ? step->d_out_grad[i - 1] : (float *)step->d_workspace;
    float *by = step->d_gradients, *saved = step->d_saved[i];
    const size_t n = step->count * shape_elements(&layer->in);

    set_descriptors(pass, layer, step->count);
    switch (layer->kind) {
    case LAYER_CONV:
    case LAYER_DENSE:
        weights_backward(pass, i);
        break;
    case LAYER_BATCHNORM:
        TRY(cudnnBatchNormalizationBackward(
            lib.dnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &zero, lib.in,
            from, lib.out, grad, lib.in, to, lib.channel,
            step->d_parameters + layer->weight_offset,
            by + layer->weight_offset, by + layer->bias_offset, 1e-5, saved,
            saved + layer->weights));
        break;
    case LAYER_RELU:
        if (!i) break;
        TRY(cudnnActivationBackward(lib.dnn, lib.relu, &one, lib.out, out,
                                    lib.out, grad, lib.in, from, &zero,
                                    lib.in, to));
        break;
    case LAYER_MAXPOOL:
        if (!i) break;
        TRY(cudnnPoolingBackward(lib.dnn, lib.pool, &one, lib.out, out,
                                 lib.out, grad, lib.in, from, &zero, lib.in,
                                 to));
        break;
    case LAYER_AVGPOOL:
    case LAYER_ADD:
        residual_backward(step, i);
        break;
    case LAYER_DROPOUT:
        if (!i) break;
        dropout<<<blocks_for(n), THREADS>>>(grad, to, n, layer->drop,
                                            seed_of(pass, i), step->d_step);
        break;
    }
}

/** Increment the step number. */
__global__ void count_step(int *count)
{
    ++*count;
}

static int run(const struct step *step, bool training)
{
    const int last = step->net->count - 1;
    struct pass all = {step, train_workspace(step->net, step->count),
                       training, 0};
    struct pass *pass = &all;

    create_library(pass);
    if (training) count_step<<<1, 1>>>(step->d_step);
    for (int i = 0; i <= last; i++) forward(pass, i);
    launch_loss(step, step->net->classes, step->d_out[last],
                training ? step->d_out_grad[last] : NULL,
                {(float *)step->d_workspace, 2, 0, 0, 0});
    for (int i = last; training && i >= 0; i--) {
        back(pass, i);
        add_shortcuts(step, i - 1);
    }
    if (training) optimizer_step(step, (float *)step->d_workspace);
    return pass->status ? pass->status : CUDA_CHECK(cudaGetLastError());
}

int train_step(const struct step *step)
{
    return run(step, true);
}

int train_evaluate(const struct step *step)
{
    return run(step, false);
}
