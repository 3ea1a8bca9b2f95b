// SPDX-License-Identifier: MIT
// flags: -lcudnn
// A convolution with bias and activation in one call against the same in
// steps; a bias added, and its gradient.
#include "cudnn_check.h"

static const float one = 1, zero = 0;

// y = relu(alpha1 conv + alpha2 z + bias) in double, from conv alone.
static std::vector<double> want(const tensor<float> &conv,
                                const tensor<float> &z,
                                const tensor<float> &bias, double alpha1,
                                double alpha2, bool relu)
{
    const int k = conv.size[1], places = conv.size[2] * conv.size[3];
    std::vector<double> y(conv.count);

    for (size_t i = 0; i < y.size(); i++) {
        y[i] = alpha1 * conv[i] + alpha2 * z[i]
               + bias[i / (size_t)places % (size_t)k];
        if (relu && y[i] < 0)
            y[i] = 0;
    }
    return y;
}

static void fused(cudnnHandle_t h, int n, int c, int side, int k)
{
    tensor<float> x({n, c, side, 8}), w({k, c, 3, 3}), bias({1, k, 1, 1});
    tensor<float> conv({n, k, side, 8}), z({n, k, side, 8}), y({n, k, side, 8});
    const auto implicit = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
    const float alpha1 = 0.5f, alpha2 = -2;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t convolution;
    cudnnActivationDescriptor_t act;
    void *work;

    OK(cudaMalloc(&work, 1 << 16));
    DNN(cudnnCreateFilterDescriptor(&filter));
    DNN(cudnnCreateConvolutionDescriptor(&convolution));
    DNN(cudnnCreateActivationDescriptor(&act));
    DNN(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW,
                                   k, c, 3, 3));
    DNN(cudnnSetConvolution2dDescriptor(convolution, 1, 1, 1, 1, 1, 1,
                                        CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
    DNN(cudnnConvolutionForward(h, &one, x.desc, x.data, filter, w.data,
                                convolution, implicit, work, 1 << 16, &zero,
                                conv.desc, conv.data));
    for (int relu = 0; relu < 2; relu++) {
        DNN(cudnnSetActivationDescriptor(act,
                                         relu ? CUDNN_ACTIVATION_RELU
                                              : CUDNN_ACTIVATION_IDENTITY,
                                         CUDNN_NOT_PROPAGATE_NAN, 0));
        DNN(cudnnConvolutionBiasActivationForward(
            h, &alpha1, x.desc, x.data, filter, w.data, convolution, implicit,
            work, 1 << 16, &alpha2, z.desc, z.data, bias.desc, bias.data, act,
            y.desc, y.data));
        OK(cudaDeviceSynchronize());
        same(relu ? "relu" : "identity", y,
             want(conv, z, bias, alpha1, alpha2, relu), 1e-5);
    }
    // z may be y: y = relu(conv + y + bias)
    const std::vector<double> in_place = want(conv, y, bias, 1, 1, true);
    DNN(cudnnConvolutionBiasActivationForward(
        h, &one, x.desc, x.data, filter, w.data, convolution, implicit, work,
        1 << 16, &one, y.desc, y.data, bias.desc, bias.data, act, y.desc,
        y.data));
    same("in place", y, in_place, 1e-5);
    cudnnDestroyFilterDescriptor(filter);
    cudnnDestroyConvolutionDescriptor(convolution);
    cudnnDestroyActivationDescriptor(act);
    OK(cudaFree(work));
}

static void biases(cudnnHandle_t h)
{
    tensor<float> bias({1, 5, 1, 1}), y({4, 5, 3, 7}), db({1, 5, 1, 1});
    const float alpha = 2, beta = -1;
    const std::vector<double> was = y.values(), db0 = db.values();
    std::vector<double> sum(y.count), gradient(db.count);

    for (size_t i = 0; i < y.count; i++)
        sum[i] = alpha * bias[i / 21 % 5] + beta * was[i];
    DNN(cudnnAddTensor(h, &alpha, bias.desc, bias.data, &beta, y.desc, y.data));
    same("add", y, sum, 1e-6);
    for (size_t i = 0; i < y.count; i++)
        gradient[i / 21 % 5] += alpha * y[i];
    for (size_t i = 0; i < db.count; i++)
        gradient[i] += beta * db0[i];
    DNN(cudnnConvolutionBackwardBias(h, &alpha, y.desc, y.data, &beta, db.desc,
                                     db.data));
    same("backward bias", db, gradient, 1e-5);
}

int main()
{
    cudnnHandle_t h;

    DNN(cudnnCreate(&h));
    fused(h, 3, 4, 9, 6);
    fused(h, 1, 12, 80, 40); /* cut by filters */
    biases(h);
    DNN(cudnnDestroy(h));
    printf("done\n");
    return 0;
}
