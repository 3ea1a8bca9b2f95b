// SPDX-License-Identifier: MIT
// flags: -lcudnn
// Descriptors return the values they were set to; counts, versions and last
// words; the search for an algorithm with a workspace of the program's own.
#include <cstring>

#include "cudnn_check.h"

static void library(cudnnHandle_t h)
{
    cudnnStatus_t status = CUDNN_STATUS_BAD_PARAM;
    char words[200] = "";
    int major = 0, minor = 0, patch = 0;

    DNN(cudnnGetProperty(MAJOR_VERSION, &major));
    DNN(cudnnGetProperty(MINOR_VERSION, &minor));
    DNN(cudnnGetProperty(PATCH_LEVEL, &patch));
    EXPECT(major == CUDNN_MAJOR && minor == CUDNN_MINOR);
    EXPECT(patch == CUDNN_PATCHLEVEL);
    EXPECT(cudnnGetVersion() == CUDNN_VERSION);
    EXPECT(cudnnGetCudartVersion() == CUDART_VERSION);
    EXPECT(cudnnGetMaxDeviceVersion() >= 900);
    DNN(cudnnOpsVersionCheck());
    DNN(cudnnCnnVersionCheck());
    DNN(cudnnQueryRuntimeError(h, &status, CUDNN_ERRQUERY_BLOCKING, nullptr));
    EXPECT(status == CUDNN_STATUS_SUCCESS);
    EXPECT(cudnnCreateTensorDescriptor(nullptr) == CUDNN_STATUS_BAD_PARAM);
    cudnnGetLastErrorString(words, sizeof words);
    EXPECT(strstr(words, "cudnnCreateTensorDescriptor"));
}

// The last words name the function that the program called.
static void expect_words(cudnnStatus_t status, const char *call)
{
    char words[200] = "";

    EXPECT(status != CUDNN_STATUS_SUCCESS);
    cudnnGetLastErrorString(words, sizeof words);
    EXPECT(!strncmp(words, call, strlen(call)) && words[strlen(call)] == ':');
}

// Arguments that functions of the library's own check.
static void mistakes(cudnnHandle_t h)
{
    const float one = 1, zero = 0;
    tensor<float> x({2, 3, 9, 9}), y({2, 4, 9, 9}), w({4, 3, 3, 3});
    cudnnConvolutionFwdAlgoPerf_t perf;
    cudnnConvolutionDescriptor_t c;
    cudnnFilterDescriptor_t f;
    size_t bytes;
    int given;

    DNN(cudnnCreateConvolutionDescriptor(&c));
    DNN(cudnnCreateFilterDescriptor(&f));
    DNN(cudnnSetFilter4dDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, 3,
                                   3, 3));
    DNN(cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1,
                                        CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
    expect_words(cudnnConvolutionForward(
                     h, &one, x.desc, x.data, f, w.data, c,
                     CUDNN_CONVOLUTION_FWD_ALGO_GEMM, nullptr, 0, &zero, y.desc,
                     y.data),
                 "cudnnConvolutionForward");
    expect_words(cudnnConvolutionForward(
                     h, &one, y.desc, y.data, f, w.data, c,
                     CUDNN_CONVOLUTION_FWD_ALGO_GEMM, nullptr, 0, &zero, y.desc,
                     y.data),
                 "cudnnConvolutionForward");
    expect_words(cudnnGetConvolutionForwardWorkspaceSize(
                     h, y.desc, f, c, y.desc, CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
                     &bytes),
                 "cudnnGetConvolutionForwardWorkspaceSize");
    expect_words(cudnnFindConvolutionForwardAlgorithm(
                     h, x.desc, f, c, y.desc, 0, &given, &perf),
                 "cudnnFindConvolutionForwardAlgorithm");
    expect_words(cudnnSetTensor4dDescriptor(x.desc, CUDNN_TENSOR_NCHW,
                                            CUDNN_DATA_FLOAT, 0, 1, 1, 1),
                 "cudnnSetTensor4dDescriptor");
    DNN(cudnnDestroyFilterDescriptor(f));
    DNN(cudnnDestroyConvolutionDescriptor(c));
}

static void convolution()
{
    const int pad[] = {1, 2}, stride[] = {3, 4}, dilation[] = {1, 2};
    tensor<float> x({2, 6, 20, 24});
    cudnnConvolutionDescriptor_t c;
    cudnnFilterDescriptor_t f;
    cudnnConvolutionMode_t mode;
    cudnnDataType_t type;
    cudnnMathType_t math;
    cudnnReorderType_t reorder;
    int n[8], dims, size[4];

    DNN(cudnnCreateConvolutionDescriptor(&c));
    DNN(cudnnCreateFilterDescriptor(&f));
    DNN(cudnnSetFilter4dDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 6, 3,
                                   4, 3));
    DNN(cudnnSetConvolutionNdDescriptor(c, 2, pad, stride, dilation,
                                        CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
    DNN(cudnnSetConvolutionGroupCount(c, 2));
    DNN(cudnnSetConvolutionMathType(c, CUDNN_TENSOR_OP_MATH));
    DNN(cudnnSetConvolutionReorderType(c, CUDNN_NO_REORDER));
    DNN(cudnnGetConvolution2dDescriptor(c, &n[0], &n[1], &n[2], &n[3], &n[4],
                                        &n[5], &mode, &type));
    EXPECT(!memcmp(n, pad, 8) && !memcmp(n + 2, stride, 8));
    EXPECT(!memcmp(n + 4, dilation, 8) && mode == CUDNN_CROSS_CORRELATION);
    EXPECT(type == CUDNN_DATA_FLOAT);
    DNN(cudnnGetConvolutionNdDescriptor(c, 2, &dims, n, n + 2, n + 4, &mode,
                                        &type));
    EXPECT(dims == 2 && !memcmp(n, pad, 8) && !memcmp(n + 2, stride, 8));
    DNN(cudnnGetConvolutionGroupCount(c, n));
    DNN(cudnnGetConvolutionMathType(c, &math));
    DNN(cudnnGetConvolutionReorderType(c, &reorder));
    EXPECT(n[0] == 2 && math == CUDNN_TENSOR_OP_MATH);
    EXPECT(reorder == CUDNN_NO_REORDER);
    DNN(cudnnGetConvolutionNdForwardOutputDim(c, x.desc, f, 4, size));
    EXPECT(size[0] == 2 && size[1] == 6);
    EXPECT(size[2] == 1 + (20 + 2 - 4) / 3 && size[3] == 1 + (24 + 4 - 5) / 4);
    DNN(cudnnDestroyFilterDescriptor(f));
    DNN(cudnnDestroyConvolutionDescriptor(c));
}

static void pooling()
{
    const int window[] = {3, 2}, pad[] = {1, 0}, stride[] = {2, 3};
    tensor<float> x({2, 3, 9, 11});
    cudnnPoolingDescriptor_t p;
    cudnnPoolingMode_t mode;
    cudnnNanPropagation_t nan;
    int n[6], dims, size[4];

    DNN(cudnnCreatePoolingDescriptor(&p));
    DNN(cudnnSetPoolingNdDescriptor(p, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN,
                                    2, window, pad, stride));
    DNN(cudnnGetPooling2dDescriptor(p, &mode, &nan, &n[0], &n[1], &n[2], &n[3],
                                    &n[4], &n[5]));
    EXPECT(mode == CUDNN_POOLING_MAX && nan == CUDNN_PROPAGATE_NAN);
    EXPECT(!memcmp(n, window, 8) && !memcmp(n + 2, pad, 8));
    EXPECT(!memcmp(n + 4, stride, 8));
    DNN(cudnnGetPoolingNdDescriptor(p, 2, &mode, &nan, &dims, n, n + 2, n + 4));
    EXPECT(dims == 2 && !memcmp(n, window, 8) && !memcmp(n + 4, stride, 8));
    DNN(cudnnGetPoolingNdForwardOutputDim(p, x.desc, 4, size));
    EXPECT(size[0] == 2 && size[1] == 3 && size[2] == 5 && size[3] == 4);
    DNN(cudnnDestroyPoolingDescriptor(p));
}

static void others(cudnnHandle_t h)
{
    cudnnActivationDescriptor_t a;
    cudnnLRNDescriptor_t l;
    cudnnDropoutDescriptor_t d;
    cudnnActivationMode_t mode;
    cudnnNanPropagation_t nan;
    double number[3];
    unsigned n;
    unsigned long long seed;
    size_t bytes;
    float rate;
    void *states;

    DNN(cudnnCreateActivationDescriptor(&a));
    DNN(cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_ELU,
                                     CUDNN_PROPAGATE_NAN, 1.5));
    DNN(cudnnSetActivationDescriptorSwishBeta(a, 0.25));
    DNN(cudnnGetActivationDescriptor(a, &mode, &nan, &number[0]));
    DNN(cudnnGetActivationDescriptorSwishBeta(a, &number[1]));
    EXPECT(mode == CUDNN_ACTIVATION_ELU && nan == CUDNN_PROPAGATE_NAN);
    EXPECT(number[0] == 1.5 && number[1] == 0.25);
    DNN(cudnnDestroyActivationDescriptor(a));
    DNN(cudnnCreateLRNDescriptor(&l));
    DNN(cudnnSetLRNDescriptor(l, 5, 0.5, 0.75, 2));
    DNN(cudnnGetLRNDescriptor(l, &n, &number[0], &number[1], &number[2]));
    EXPECT(n == 5 && number[0] == 0.5 && number[1] == 0.75 && number[2] == 2);
    DNN(cudnnDestroyLRNDescriptor(l));
    DNN(cudnnCreateDropoutDescriptor(&d));
    DNN(cudnnDropoutGetStatesSize(h, &bytes));
    OK(cudaMalloc(&states, bytes));
    void *const was = states;
    DNN(cudnnSetDropoutDescriptor(d, h, 0.25f, states, bytes, 77));
    DNN(cudnnGetDropoutDescriptor(d, h, &rate, &states, &seed));
    EXPECT(rate == 0.25f && states == was && seed == 77);
    OK(cudaDeviceSynchronize());
    DNN(cudnnDestroyDropoutDescriptor(d));
    OK(cudaFree(was));
}

// As many as it says there are, the fastest that works first.
template <class P> static int ranked(const P *perf, int given, int most)
{
    int works = 0;

    EXPECT(given >= 1 && given <= most);
    EXPECT(perf[0].status == CUDNN_STATUS_SUCCESS);
    for (int i = 0; i < given; i++) {
        works += perf[i].status == CUDNN_STATUS_SUCCESS;
        EXPECT(perf[i].status != CUDNN_STATUS_SUCCESS || i == 0
               || perf[i].time >= perf[i - 1].time);
    }
    return works;
}

static void search(cudnnHandle_t h)
{
    const size_t bytes = 8 << 20;
    tensor<float> x({2, 3, 9, 9}), y({2, 4, 9, 9}), w({4, 3, 3, 3});
    cudnnConvolutionBwdDataAlgoPerf_t
        by_x[CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT];
    cudnnConvolutionBwdFilterAlgoPerf_t
        by_w[CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT];
    cudnnConvolutionDescriptor_t c;
    cudnnFilterDescriptor_t f;
    int most, given;
    void *work;

    OK(cudaMalloc(&work, bytes));
    DNN(cudnnCreateConvolutionDescriptor(&c));
    DNN(cudnnCreateFilterDescriptor(&f));
    DNN(cudnnSetFilter4dDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, 3,
                                   3, 3));
    DNN(cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1,
                                        CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
    DNN(cudnnGetConvolutionForwardAlgorithmMaxCount(h, &most));
    EXPECT(most >= CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
    DNN(cudnnGetConvolutionBackwardDataAlgorithmMaxCount(h, &most));
    DNN(cudnnFindConvolutionBackwardDataAlgorithmEx(
        h, f, w.data, y.desc, y.data, c, x.desc, x.data,
        CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, &given, by_x, work, bytes));
    EXPECT(ranked(by_x, given, most) >= 2);
    DNN(cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(h, &most));
    DNN(cudnnFindConvolutionBackwardFilterAlgorithmEx(
        h, x.desc, x.data, y.desc, y.data, c, f, w.data,
        CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, &given, by_w, work, bytes));
    EXPECT(ranked(by_w, given, most) >= 2);
    OK(cudaDeviceSynchronize());
    DNN(cudnnDestroyFilterDescriptor(f));
    DNN(cudnnDestroyConvolutionDescriptor(c));
    OK(cudaFree(work));
}

int main()
{
    cudnnHandle_t h;

    DNN(cudnnCreate(&h));
    library(h);
    mistakes(h);
    convolution();
    pooling();
    others(h);
    search(h);
    DNN(cudnnDestroy(h));
    printf("told\n");
    return 0;
}
