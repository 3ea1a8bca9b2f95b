// SPDX-License-Identifier: MIT
// flags: -lcudnn
// env: SOFTGPU_EXPLAIN=1
// stderr: bytes, but its allocation ends after
// stderr: bytes, x has some; is it that large?
// Arguments that are refused, and the status of each.
#include "cudnn_check.h"

static const float one = 1, zero = 0;

// The call must return CUDNN_STATUS_name.
#define GIVES(name, call)                                                   \
    do {                                                                    \
        const cudnnStatus_t status_ = (call);                               \
        if (status_ != CUDNN_STATUS_##name)                                 \
            printf("line %d: %s\n", __LINE__, cudnnGetErrorString(status_)); \
    } while (0)

static void tensors()
{
    cudnnTensorDescriptor_t d;
    const int size[] = {2, 3, 4, 5}, stride[] = {60, 20, 5, 1};
    int n, dims;

    GIVES(BAD_PARAM, cudnnCreateTensorDescriptor(nullptr));
    DNN(cudnnCreateTensorDescriptor(&d));
    GIVES(BAD_PARAM, cudnnGetTensorNdDescriptor(d, 4, nullptr, &dims, nullptr,
                                                nullptr));
    GIVES(BAD_PARAM, cudnnSetTensor4dDescriptor(
                         d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 0, 4, 5));
    GIVES(BAD_PARAM, cudnnSetTensor4dDescriptor(
                         d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, -3, 4, 5));
    GIVES(BAD_PARAM, cudnnSetTensorNdDescriptor(d, CUDNN_DATA_FLOAT, 9, size,
                                                stride));
    GIVES(NOT_SUPPORTED, cudnnSetTensor4dDescriptor(
                             d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1 << 12,
                             1 << 12, 1 << 12, 1));
    DNN(cudnnSetTensorNdDescriptor(d, CUDNN_DATA_FLOAT, 4, size, stride));
    DNN(cudnnGetTensor4dDescriptor(d, nullptr, nullptr, &n, nullptr, nullptr,
                                   nullptr, nullptr, nullptr, nullptr));
    EXPECT(n == 3);
    DNN(cudnnDestroyTensorDescriptor(d));
}

// pad rows above and below; one column on each side; stride from row to row.
static cudnnStatus_t set_convolution(cudnnConvolutionDescriptor_t c, int pad,
                                     int stride, cudnnDataType_t type)
{
    return cudnnSetConvolution2dDescriptor(c, pad, 1, stride, 1, 1, 1,
                                           CUDNN_CROSS_CORRELATION, type);
}

// Workspaces that are said to have more than was allocated, or overlap x.
static void workspaces(cudnnHandle_t h, const tensor<float> &x,
                       const tensor<float> &y, const tensor<float> &w,
                       cudnnFilterDescriptor_t f,
                       cudnnConvolutionDescriptor_t c, void *work, size_t bytes)
{
    const auto gemm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
    const auto implicit = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
    char *all;

    GIVES(BAD_PARAM, cudnnConvolutionForward(h, &one, x.desc, x.data, f, w.data,
                                             c, gemm, work, bytes + 1, &zero,
                                             y.desc, y.data));
    GIVES(BAD_PARAM, cudnnConvolutionForward(h, &one, x.desc, x.data, f, w.data,
                                             c, implicit, work, (size_t)-1,
                                             &zero, y.desc, y.data));
    DNN(cudnnConvolutionForward(h, &one, x.desc, x.data, f, w.data, c, implicit,
                                nullptr, (size_t)-1, &zero, y.desc, y.data));
    DNN(cudnnConvolutionForward(h, &one, x.desc, x.data, f, w.data, c, implicit,
                                work, bytes, &zero, y.desc, y.data));
    OK(cudaMalloc(&all, 2 * bytes));
    DNN(cudnnConvolutionForward(h, &one, x.desc, all + bytes, f, w.data, c,
                                gemm, all, bytes, &zero, y.desc, y.data));
    GIVES(BAD_PARAM, cudnnConvolutionForward(h, &one, x.desc, all + bytes, f,
                                             w.data, c, gemm, all, bytes + 4,
                                             &zero, y.desc, y.data));
    OK(cudaDeviceSynchronize());
    OK(cudaFree(all));
}

static void convolutions(cudnnHandle_t h)
{
    tensor<float> x({2, 3, 8, 8}), y({2, 4, 8, 8}), bad({2, 4, 8, 7});
    tensor<float> w({4, 3, 3, 3});
    const auto gemm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
    const auto direct = CUDNN_CONVOLUTION_FWD_ALGO_DIRECT;
    cudnnFilterDescriptor_t f;
    cudnnConvolutionDescriptor_t c;
    void *work;
    size_t bytes;

    DNN(cudnnCreateFilterDescriptor(&f));
    DNN(cudnnCreateConvolutionDescriptor(&c));
    GIVES(BAD_PARAM, cudnnGetConvolutionForwardWorkspaceSize(
                         h, x.desc, f, c, y.desc, gemm, &bytes));
    DNN(cudnnSetFilter4dDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, 3,
                                   3, 3));
    GIVES(BAD_PARAM, set_convolution(c, -1, 1, CUDNN_DATA_FLOAT));
    GIVES(BAD_PARAM, set_convolution(c, 1, 0, CUDNN_DATA_FLOAT));
    DNN(set_convolution(c, 1, 1, CUDNN_DATA_FLOAT));
    DNN(cudnnGetConvolutionForwardWorkspaceSize(h, x.desc, f, c, y.desc, gemm,
                                                &bytes));
    EXPECT(bytes > 0);
    OK(cudaMalloc(&work, bytes));
    DNN(cudnnConvolutionForward(h, &one, x.desc, x.data, f, w.data, c, gemm,
                                work, bytes, &zero, y.desc, y.data));
    GIVES(BAD_PARAM, cudnnConvolutionForward(h, &one, x.desc, x.data, f, w.data,
                                             c, gemm, work, bytes - 1, &zero,
                                             y.desc, y.data));
    workspaces(h, x, y, w, f, c, work, bytes);
    GIVES(BAD_PARAM, cudnnConvolutionForward(h, &one, x.desc, x.data, f, w.data,
                                             c, gemm, nullptr, bytes, &zero,
                                             y.desc, y.data));
    GIVES(BAD_PARAM, cudnnConvolutionForward(h, &one, x.desc, nullptr, f,
                                             w.data, c, gemm, work, bytes,
                                             &zero, y.desc, y.data));
    GIVES(BAD_PARAM, cudnnConvolutionForward(nullptr, &one, x.desc, x.data, f,
                                             w.data, c, gemm, work, bytes,
                                             &zero, y.desc, y.data));
    GIVES(BAD_PARAM, cudnnConvolutionForward(h, &one, x.desc, x.data, f, w.data,
                                             c, gemm, work, bytes, &zero,
                                             bad.desc, bad.data));
    GIVES(NOT_SUPPORTED, cudnnConvolutionForward(h, &one, x.desc, x.data, f,
                                                 w.data, c, direct, work, bytes,
                                                 &zero, y.desc, y.data));
    DNN(set_convolution(c, 1, 1, CUDNN_DATA_HALF));
    GIVES(NOT_SUPPORTED, cudnnGetConvolutionForwardWorkspaceSize(
                             h, x.desc, f, c, y.desc, gemm, &bytes));
    DNN(set_convolution(c, 1, 1, CUDNN_DATA_FLOAT));
    DNN(cudnnSetConvolutionGroupCount(c, 2));
    GIVES(BAD_PARAM, cudnnGetConvolutionForwardWorkspaceSize(
                         h, x.desc, f, c, y.desc, gemm, &bytes));
    OK(cudaDeviceSynchronize());
    OK(cudaFree(work));
    DNN(cudnnDestroyFilterDescriptor(f));
    DNN(cudnnDestroyConvolutionDescriptor(c));
}

// Ranked by time, by a rule, and within a limit.
static void algorithms(cudnnHandle_t h)
{
    tensor<float> x({8, 32, 28, 28}), y({8, 64, 28, 28}), w({64, 32, 3, 3});
    cudnnConvolutionFwdAlgoPerf_t perf[10];
    cudnnFilterDescriptor_t f;
    cudnnConvolutionDescriptor_t c;
    int n;

    DNN(cudnnCreateFilterDescriptor(&f));
    DNN(cudnnCreateConvolutionDescriptor(&c));
    DNN(cudnnSetFilter4dDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 64,
                                   32, 3, 3));
    DNN(cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1,
                                        CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
    DNN(cudnnFindConvolutionForwardAlgorithm(h, x.desc, f, c, y.desc, 10, &n,
                                             perf));
    EXPECT(n == CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
    for (int i = 1; i < n; i++)
        EXPECT(perf[i].status || perf[i - 1].time <= perf[i].time);
    DNN(cudnnFindConvolutionForwardAlgorithmEx(h, x.desc, x.data, f, w.data, c,
                                               y.desc, y.data, 3, &n, perf,
                                               nullptr, 0));
    EXPECT(n == 3 && perf[0].status == CUDNN_STATUS_SUCCESS
           && perf[0].memory == 0);
    DNN(cudnnGetConvolutionForwardAlgorithm_v7(h, x.desc, f, c, y.desc, 1, &n,
                                               perf));
    EXPECT(n == 1 && perf[0].status == CUDNN_STATUS_SUCCESS);
    GIVES(BAD_PARAM, cudnnGetConvolutionForwardAlgorithm_v7(
                         h, x.desc, f, c, y.desc, 0, &n, perf));
    DNN(cudnnDestroyFilterDescriptor(f));
    DNN(cudnnDestroyConvolutionDescriptor(c));
}

static void layers(cudnnHandle_t h)
{
    tensor<float> x({2, 3, 4, 4}), y({2, 3, 2, 2}), z({2, 3, 4, 4});
    cudnnActivationDescriptor_t act;
    cudnnPoolingDescriptor_t pool;

    DNN(cudnnCreateActivationDescriptor(&act));
    DNN(cudnnCreatePoolingDescriptor(&pool));
    GIVES(BAD_PARAM, cudnnActivationForward(h, act, &one, x.desc, x.data, &zero,
                                            z.desc, z.data));
    GIVES(BAD_PARAM, cudnnSetActivationDescriptor(
                         act, (cudnnActivationMode_t)99,
                         CUDNN_NOT_PROPAGATE_NAN, 0));
    DNN(cudnnSetActivationDescriptor(act, CUDNN_ACTIVATION_RELU,
                                     CUDNN_NOT_PROPAGATE_NAN, 0));
    GIVES(BAD_PARAM, cudnnActivationForward(h, act, &one, x.desc, x.data, &zero,
                                            y.desc, y.data));
    GIVES(BAD_PARAM, cudnnSetPooling2dDescriptor(
                         pool, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0,
                         0, 0, 2));
    DNN(cudnnSetPooling2dDescriptor(pool, CUDNN_POOLING_MAX,
                                    CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
    GIVES(BAD_PARAM, cudnnPoolingForward(h, pool, &one, x.desc, x.data, &zero,
                                         z.desc, z.data));
    GIVES(BAD_PARAM, cudnnAddTensor(h, &one, y.desc, y.data, &one, x.desc,
                                    x.data));
    DNN(cudnnPoolingForward(h, pool, &one, x.desc, x.data, &zero, y.desc,
                            y.data));
    OK(cudaDeviceSynchronize());
    DNN(cudnnDestroyActivationDescriptor(act));
    DNN(cudnnDestroyPoolingDescriptor(pool));
}

int main()
{
    cudnnHandle_t h;

    GIVES(BAD_PARAM, cudnnCreate(nullptr));
    DNN(cudnnCreate(&h));
    tensors();
    convolutions(h);
    algorithms(h);
    layers(h);
    DNN(cudnnDestroy(h));
    printf("done\n");
    return 0;
}
