// SPDX-License-Identifier: MIT
// flags: -lcudnn
// Every activation: values in float against double, gradients by differences.
// Rows of floats, which need no doubles, give the bits of spaced columns.
#include <cstring>

#include "cudnn_check.h"

static double value(cudnnActivationMode_t mode, double x, double coef)
{
    switch (mode) {
    case CUDNN_ACTIVATION_SIGMOID:
        return 1 / (1 + std::exp(-x));
    case CUDNN_ACTIVATION_RELU:
        return x > 0 ? x : 0;
    case CUDNN_ACTIVATION_TANH:
        return std::tanh(x);
    case CUDNN_ACTIVATION_CLIPPED_RELU:
        return x > 0 ? x < coef ? x : coef : 0;
    case CUDNN_ACTIVATION_ELU:
        return x > 0 ? x : coef * (std::exp(x) - 1);
    default:
        return x;
    }
}

static void values(cudnnHandle_t h, cudnnActivationDescriptor_t act,
                   cudnnActivationMode_t mode, double coef)
{
    tensor<float> x({2, 3, 4, 5}, {90, 25, 6, 1}), y({2, 3, 4, 5});
    const float alpha = 3, beta = 0.5f;
    const std::vector<double> was = y.values();
    std::vector<double> want(y.count);

    for (size_t i = 0; i < y.count; i++)
        want[i] = 3 * value(mode, x[i], coef) + 0.5 * was[i];
    DNN(cudnnActivationForward(h, act, &alpha, x.desc, x.data, &beta, y.desc,
                               y.data));
    same("forward", y, want, 1e-6);
}

static void gradients(cudnnHandle_t h, cudnnActivationDescriptor_t act)
{
    tensor<double> x({2, 3, 4, 5}), y({2, 3, 4, 5}), dy({2, 3, 4, 5});
    tensor<double> dx({2, 3, 4, 5}, {70, 20, 5, 1});
    const double one = 1, zero = 0;
    const auto forward = [&] {
        DNN(cudnnActivationForward(h, act, &one, x.desc, x.data, &zero, y.desc,
                                   y.data));
    };

    forward();
    DNN(cudnnActivationBackward(h, act, &one, y.desc, y.data, dy.desc, dy.data,
                                x.desc, x.data, &zero, dx.desc, dx.data));
    OK(cudaDeviceSynchronize());
    gradient("activation", x, y, dy, dx, forward);
}

static void nans(cudnnHandle_t h, cudnnActivationDescriptor_t act)
{
    tensor<float> x({1, 1, 1, 2});
    const float one = 1, zero = 0;

    for (int passes = 0; passes < 2; passes++) {
        x[0] = NAN;
        x[1] = -1;
        DNN(cudnnSetActivationDescriptor(act, CUDNN_ACTIVATION_RELU,
                                         (cudnnNanPropagation_t)passes, 0));
        DNN(cudnnActivationForward(h, act, &one, x.desc, x.data, &zero, x.desc,
                                   x.data));
        OK(cudaDeviceSynchronize());
        EXPECT(passes ? x[0] != x[0] : x[0] == 0);
        EXPECT(x[1] == 0);
    }
}

// The same bits, wherever they lie; a NaN for a NaN.
static void same_bits(const tensor<float> &a, const tensor<float> &b)
{
    for (size_t i = 0; i < a.count; i++) {
        const float x = a[i], y = b[i];
        EXPECT((x != x && y != y) || !memcmp(&x, &y, sizeof x));
    }
}

// Packed tensors and tensors with a gap after each element.
static void layouts(cudnnHandle_t h, cudnnActivationDescriptor_t act)
{
    static const float odd[] = {0.f, -0.f, NAN, INFINITY, -INFINITY, 1e-45f};
    const std::vector<int> size = {2, 3, 7, 41};
    const std::vector<int> gaps = {1722, 574, 82, 2};
    tensor<float> x(size), y(size), dy(size), dx(size), bias({1, 3, 1, 1});
    tensor<float> x2(size, gaps), y2(size, gaps), dy2(size, gaps);
    tensor<float> dx2(size, gaps), rows({1, 1, 1, 41});
    const float one = 1, zero = 0;

    for (size_t i = 0; i < x.count; i++) {
        if (i % 5 == 0)
            x[i] = odd[i / 5 % 6];
        if (i % 7 == 0)
            dy[i] = odd[i / 7 % 6];
        x2[i] = x[i], dy2[i] = dy[i];
    }
    DNN(cudnnActivationForward(h, act, &one, x.desc, x.data, &zero, y.desc,
                               y.data));
    DNN(cudnnActivationForward(h, act, &one, x2.desc, x2.data, &zero, y2.desc,
                               y2.data));
    DNN(cudnnActivationBackward(h, act, &one, y.desc, y.data, dy.desc, dy.data,
                                x.desc, x.data, &zero, dx.desc, dx.data));
    DNN(cudnnActivationBackward(h, act, &one, y2.desc, y2.data, dy2.desc,
                                dy2.data, x2.desc, x2.data, &zero, dx2.desc,
                                dx2.data));
    for (tensor<float> *added : {&bias, &rows}) {
        DNN(cudnnAddTensor(h, &one, added->desc, added->data, &one, x.desc,
                           x.data));
        DNN(cudnnAddTensor(h, &one, added->desc, added->data, &one, x2.desc,
                           x2.data));
    }
    OK(cudaDeviceSynchronize());
    same_bits(y, y2);
    same_bits(dx, dx2);
    same_bits(x, x2);
}

int main()
{
    cudnnHandle_t h;
    cudnnActivationDescriptor_t act;

    DNN(cudnnCreate(&h));
    DNN(cudnnCreateActivationDescriptor(&act));
    for (int m = 0; m <= CUDNN_ACTIVATION_SWISH; m++) {
        const auto mode = (cudnnActivationMode_t)m;
        DNN(cudnnSetActivationDescriptor(act, mode, CUDNN_PROPAGATE_NAN, 0.6));
        if (mode != CUDNN_ACTIVATION_SWISH)
            values(h, act, mode, 0.6);
        gradients(h, act);
        layouts(h, act);
    }
    nans(h, act);
    DNN(cudnnDestroyActivationDescriptor(act));
    DNN(cudnnDestroy(h));
    printf("done\n");
    return 0;
}
