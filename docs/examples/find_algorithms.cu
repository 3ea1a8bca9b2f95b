/* SPDX-License-Identifier: MIT */
/** @file
 *  Chapter 13: which algorithms cuDNN finds for a convolution, fastest first.
 *
 *      build/softcc docs/examples/find_algorithms.cu -lcudnn -o build/find
 *      build/find 3      # the side of the filter
 *
 *  64 images of 64 x 56 x 56, 128 filters, in float without TF32.  The times
 *  are modeled on the software GPU and measured on a card. */
#include <cudnn.h>
#include <stdio.h>
#include <stdlib.h>

enum { IMAGES = 64, CHANNELS = 64, SIDE = 56, FILTERS = 128, LIST = 16 };

/** Stop with the name of a status that is an error. */
static void check(cudnnStatus_t status)
{
    if (status == CUDNN_STATUS_SUCCESS) return;
    fprintf(stderr, "%s\n", cudnnGetErrorString(status));
    exit(1);
}

/** The name of an algorithm, without its prefix. */
static const char *name_of(cudnnConvolutionFwdAlgo_t algo)
{
    switch (algo) {
    case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM: return "IMPLICIT_GEMM";
    case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM:
        return "IMPLICIT_PRECOMP_GEMM";
    case CUDNN_CONVOLUTION_FWD_ALGO_GEMM: return "GEMM";
    case CUDNN_CONVOLUTION_FWD_ALGO_FFT: return "FFT";
    case CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING: return "FFT_TILING";
    case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD: return "WINOGRAD";
    case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED:
        return "WINOGRAD_NONFUSED";
    default: return "another one";
    }
}

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 3;
    cudnnHandle_t dnn;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t convolution;
    cudnnConvolutionFwdAlgoPerf_t found[LIST];
    int count = 0;

    check(cudnnCreate(&dnn));
    check(cudnnCreateTensorDescriptor(&x));
    check(cudnnCreateTensorDescriptor(&y));
    check(cudnnCreateFilterDescriptor(&filter));
    check(cudnnCreateConvolutionDescriptor(&convolution));
    check(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                     IMAGES, CHANNELS, SIDE, SIDE));
    check(cudnnSetTensor4dDescriptor(y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                     IMAGES, FILTERS, SIDE, SIDE));
    check(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT,
                                     CUDNN_TENSOR_NCHW, FILTERS, CHANNELS, side,
                                     side));
    check(cudnnSetConvolution2dDescriptor(convolution, side / 2, side / 2, 1, 1,
                                          1, 1, CUDNN_CROSS_CORRELATION,
                                          CUDNN_DATA_FLOAT));
    check(cudnnSetConvolutionMathType(convolution, CUDNN_FMA_MATH));
    check(cudnnFindConvolutionForwardAlgorithm(dnn, x, filter, convolution, y,
                                               LIST, &count, found));
    printf("%-22s %10s %12s\n", "algorithm", "ms", "workspace");
    for (int i = 0; i < count; i++)
        if (found[i].status == CUDNN_STATUS_SUCCESS)
            printf("%-22s %10.3f %12zu\n", name_of(found[i].algo),
                   found[i].time, found[i].memory);
    check(cudnnDestroyConvolutionDescriptor(convolution));
    check(cudnnDestroyFilterDescriptor(filter));
    check(cudnnDestroyTensorDescriptor(y));
    check(cudnnDestroyTensorDescriptor(x));
    check(cudnnDestroy(dnn));
    return 0;
}
