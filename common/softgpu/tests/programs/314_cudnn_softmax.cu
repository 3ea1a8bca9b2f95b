// SPDX-License-Identifier: MIT
// flags: -lcudnn
// Softmax of all kinds and local response normalization: values in float
// against double, gradients by differences.
#include "cudnn_check.h"

static const std::vector<int> size = {3, 4, 2, 5};

// Softmax of element i among those that it shares a sum with.
static std::vector<double> softmax(const std::vector<double> &x, int mode,
                                   bool logarithm)
{
    std::vector<double> y(x.size());

    for (size_t i = 0; i < x.size(); i++) {
        double sum = 0;
        for (size_t j = 0; j < x.size(); j++)
            if (i / 40 == j / 40
                && (mode == CUDNN_SOFTMAX_MODE_INSTANCE || i % 10 == j % 10))
                sum += std::exp(x[j]);
        y[i] = logarithm ? x[i] - std::log(sum) : std::exp(x[i]) / sum;
    }
    return y;
}

static void try_softmax(cudnnHandle_t h, cudnnSoftmaxAlgorithm_t algo,
                        cudnnSoftmaxMode_t mode)
{
    tensor<float> x(size, {41, 10, 5, 1}), y(size);
    tensor<double> xd(size), yd(size), dy(size), dx(size);
    const float alpha = 2, beta = 0.25f;
    const double one = 1, zero = 0;
    const std::vector<double> was = y.values();
    std::vector<double> want =
        softmax(x.values(), mode, algo == CUDNN_SOFTMAX_LOG);

    for (size_t i = 0; i < want.size(); i++)
        want[i] = 2 * want[i] + 0.25 * was[i];
    DNN(cudnnSoftmaxForward(h, algo, mode, &alpha, x.desc, x.data, &beta,
                            y.desc, y.data));
    same("softmax", y, want, 1e-6);
    const auto forward = [&] {
        DNN(cudnnSoftmaxForward(h, algo, mode, &one, xd.desc, xd.data, &zero,
                                yd.desc, yd.data));
    };
    forward();
    DNN(cudnnSoftmaxBackward(h, algo, mode, &one, yd.desc, yd.data, dy.desc,
                             dy.data, &zero, dx.desc, dx.data));
    OK(cudaDeviceSynchronize());
    gradient("softmax", xd, yd, dy, dx, forward);
}

// Numbers whose exponentials no float holds: only FAST may fail.
static void large(cudnnHandle_t h)
{
    tensor<float> x({2, 3, 1, 1}), y({2, 3, 1, 1});
    const float one = 1, zero = 0;

    for (size_t i = 0; i < 6; i++)
        x[i] = (i < 3 ? 1000.f : -1000.f) + (float)i;
    DNN(cudnnSoftmaxForward(h, CUDNN_SOFTMAX_ACCURATE,
                            CUDNN_SOFTMAX_MODE_INSTANCE, &one, x.desc, x.data,
                            &zero, y.desc, y.data));
    OK(cudaDeviceSynchronize());
    for (int n = 0; n < 2; n++) {
        const double s = 1 + std::exp(-1.0) + std::exp(-2.0);
        EXPECT(std::fabs(y[(size_t)n * 3 + 2] - 1 / s) < 1e-6);
        EXPECT(std::fabs(y[(size_t)n * 3] - std::exp(-2.0) / s) < 1e-6);
    }
}

static void normalize(cudnnHandle_t h, unsigned n)
{
    tensor<double> x({2, 7, 2, 3}), y({2, 7, 2, 3}), dy({2, 7, 2, 3});
    tensor<double> dx({2, 7, 2, 3});
    const double one = 1, zero = 0, alpha = 0.8, power = 0.75, k = 1.5;
    const cudnnLRNMode_t mode = CUDNN_LRN_CROSS_CHANNEL_DIM1;
    std::vector<double> want(x.count);
    cudnnLRNDescriptor_t desc;

    for (int i = 0; i < (int)x.count; i++) {
        const int c = i / 6 % 7, from = c - (int)(n - 1) / 2;
        double squares = 0;
        for (int j = from; j < from + (int)n; j++)
            if (j >= 0 && j < 7)
                squares += std::pow(x[(size_t)(i + (j - c) * 6)], 2);
        want[(size_t)i] = x[(size_t)i]
                          / std::pow(k + alpha / n * squares, power);
    }
    DNN(cudnnCreateLRNDescriptor(&desc));
    DNN(cudnnSetLRNDescriptor(desc, n, alpha, power, k));
    const auto forward = [&] {
        DNN(cudnnLRNCrossChannelForward(h, desc, mode, &one, x.desc, x.data,
                                        &zero, y.desc, y.data));
    };
    forward();
    same("lrn", y, want, 1e-12);
    DNN(cudnnLRNCrossChannelBackward(h, desc, mode, &one, y.desc, y.data,
                                     dy.desc, dy.data, x.desc, x.data, &zero,
                                     dx.desc, dx.data));
    OK(cudaDeviceSynchronize());
    gradient("lrn", x, y, dy, dx, forward);
    DNN(cudnnDestroyLRNDescriptor(desc));
}

int main()
{
    cudnnHandle_t h;

    DNN(cudnnCreate(&h));
    for (int algo = 0; algo < 3; algo++)
        for (int mode = 0; mode < 2; mode++)
            try_softmax(h, (cudnnSoftmaxAlgorithm_t)algo,
                        (cudnnSoftmaxMode_t)mode);
    large(h);
    normalize(h, 5);
    normalize(h, 4);
    DNN(cudnnDestroy(h));
    printf("done\n");
    return 0;
}
