// SPDX-License-Identifier: MIT
// flags: -lcudnn
// env: SOFTGPU_TF32=1
// A convolution of floats in TF32, unless its math mode is CUDNN_FMA_MATH: a
// factor loses all but 10 bits of its mantissa, in each direction.
#include "cudnn_check.h"

int main()
{
    static const cudnnMathType_t modes[] = {
        CUDNN_DEFAULT_MATH, CUDNN_TENSOR_OP_MATH, CUDNN_FMA_MATH};
    const float fine = 1 + 0x1p-12f, one = 1, zero = 0;
    cudnnConvolutionDescriptor_t convolution;
    cudnnFilterDescriptor_t filter;
    cudnnTensorDescriptor_t image;
    cudnnHandle_t handle;
    float *x, *w, *y;

    OK(cudaMallocManaged(&x, sizeof *x));
    OK(cudaMallocManaged(&w, sizeof *w));
    OK(cudaMallocManaged(&y, sizeof *y));
    DNN(cudnnCreate(&handle));
    DNN(cudnnCreateTensorDescriptor(&image));
    DNN(cudnnCreateFilterDescriptor(&filter));
    DNN(cudnnCreateConvolutionDescriptor(&convolution));
    DNN(cudnnSetTensor4dDescriptor(image, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                   1, 1, 1, 1));
    DNN(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW,
                                   1, 1, 1, 1));
    DNN(cudnnSetConvolution2dDescriptor(convolution, 0, 0, 1, 1, 1, 1,
                                        CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
    for (cudnnMathType_t mode : modes) {
        DNN(cudnnSetConvolutionMathType(convolution, mode));
        *x = *w = fine;
        DNN(cudnnConvolutionForward(
            handle, &one, image, x, filter, w, convolution,
            CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, image,
            y));
        OK(cudaDeviceSynchronize());
        printf("mode %d: %.6f", mode, *y * 4096 - 4096);
        *y = fine;
        DNN(cudnnConvolutionBackwardData(
            handle, &one, filter, w, image, y, convolution,
            CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &zero, image, x));
        OK(cudaDeviceSynchronize());
        printf(" %.6f", *x * 4096 - 4096);
        *x = fine;
        DNN(cudnnConvolutionBackwardFilter(
            handle, &one, image, x, image, y, convolution,
            CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0, &zero, filter, w));
        OK(cudaDeviceSynchronize());
        printf(" %.6f\n", *w * 4096 - 4096);
    }
    DNN(cudnnDestroy(handle));
}
