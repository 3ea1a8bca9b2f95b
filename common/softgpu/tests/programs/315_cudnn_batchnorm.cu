// SPDX-License-Identifier: MIT
// flags: -lcudnn
// Batch normalization of both kinds: training with running and saved values,
// inference, gradients of x, scale and bias.
#include "cudnn_check.h"

static const std::vector<int> size = {4, 3, 2, 5};
static const double epsilon = 1e-3, factor = 0.3;

// Which mean element i belongs to.
static size_t group(size_t i, cudnnBatchNormMode_t mode)
{
    return mode == CUDNN_BATCHNORM_PER_ACTIVATION ? i % 30 : i / 10 % 3;
}

struct statistics {
    std::vector<double> mean, variance;
    double n;
};

static statistics measure(const std::vector<double> &x,
                          cudnnBatchNormMode_t mode, size_t groups)
{
    statistics s = {std::vector<double>(groups), std::vector<double>(groups),
                    (double)(x.size() / groups)};

    for (size_t i = 0; i < x.size(); i++)
        s.mean[group(i, mode)] += x[i] / s.n;
    for (size_t i = 0; i < x.size(); i++)
        s.variance[group(i, mode)] +=
            std::pow(x[i] - s.mean[group(i, mode)], 2) / s.n;
    return s;
}

static std::vector<double> normalized(const std::vector<double> &x,
                                      const statistics &s,
                                      const std::vector<double> &scale,
                                      const std::vector<double> &bias,
                                      cudnnBatchNormMode_t mode)
{
    std::vector<double> y(x.size());

    for (size_t i = 0; i < x.size(); i++) {
        const size_t g = group(i, mode);
        y[i] = bias[g] + scale[g] * (x[i] - s.mean[g])
                             / std::sqrt(s.variance[g] + epsilon);
    }
    return y;
}

static void values(cudnnHandle_t h, cudnnBatchNormMode_t mode,
                   const std::vector<int> &groups)
{
    tensor<float> x(size, {35, 10, 5, 1}), y(size), scale(groups), bias(groups);
    tensor<float> mean(groups), variance(groups), saved(groups), inv(groups);
    cudnnTensorDescriptor_t bn;
    const float one = 1, zero = 0;
    const std::vector<double> m0 = mean.values(), v0 = variance.values();
    statistics s = measure(x.values(), mode, mean.count);
    std::vector<double> m(mean.count), v(mean.count), i(mean.count);

    DNN(cudnnCreateTensorDescriptor(&bn));
    DNN(cudnnDeriveBNTensorDescriptor(bn, x.desc, mode));
    DNN(cudnnBatchNormalizationForwardTraining(
        h, mode, &one, &zero, x.desc, x.data, y.desc, y.data, bn, scale.data,
        bias.data, factor, mean.data, variance.data, epsilon, saved.data,
        inv.data));
    same("training", y,
         normalized(x.values(), s, scale.values(), bias.values(), mode), 3e-6);
    for (size_t g = 0; g < m.size(); g++) {
        m[g] = (1 - factor) * m0[g] + factor * s.mean[g];
        v[g] = (1 - factor) * v0[g] + factor * s.variance[g] * s.n / (s.n - 1);
        i[g] = 1 / std::sqrt(s.variance[g] + epsilon);
    }
    same("running mean", mean, m, 1e-6);
    same("running variance", variance, v, 1e-6);
    same("saved mean", saved, s.mean, 1e-6);
    same("saved inverse", inv, i, 3e-6);
    for (size_t g = 0; g < variance.count; g++)
        variance[g] = std::fabs(variance[g]);
    s.mean = mean.values();
    s.variance = variance.values();
    DNN(cudnnBatchNormalizationForwardInference(
        h, mode, &one, &zero, x.desc, x.data, y.desc, y.data, bn, scale.data,
        bias.data, mean.data, variance.data, epsilon));
    same("inference", y,
         normalized(x.values(), s, scale.values(), bias.values(), mode), 3e-6);
    DNN(cudnnDestroyTensorDescriptor(bn));
}

static void gradients(cudnnHandle_t h, cudnnBatchNormMode_t mode,
                      const std::vector<int> &groups, bool use_saved)
{
    tensor<double> x(size), y(size), dy(size), dx(size), scale(groups);
    tensor<double> bias(groups), saved(groups), inv(groups), dscale(groups);
    tensor<double> dbias(groups);
    const double one = 1, zero = 0;
    const auto forward = [&] {
        DNN(cudnnBatchNormalizationForwardTraining(
            h, mode, &one, &zero, x.desc, x.data, y.desc, y.data, scale.desc,
            scale.data, bias.data, factor, nullptr, nullptr, epsilon,
            saved.data, inv.data));
    };

    forward();
    DNN(cudnnBatchNormalizationBackward(
        h, mode, &one, &zero, &one, &zero, x.desc, x.data, dy.desc, dy.data,
        dx.desc, dx.data, scale.desc, scale.data, dscale.data, dbias.data,
        epsilon, use_saved ? saved.data : nullptr,
        use_saved ? inv.data : nullptr));
    OK(cudaDeviceSynchronize());
    gradient("x", x, y, dy, dx, forward);
    gradient("scale", scale, y, dy, dscale, forward);
    gradient("bias", bias, y, dy, dbias, forward);
}

int main()
{
    cudnnHandle_t h;

    DNN(cudnnCreate(&h));
    values(h, CUDNN_BATCHNORM_SPATIAL, {1, 3, 1, 1});
    values(h, CUDNN_BATCHNORM_PER_ACTIVATION, {1, 3, 2, 5});
    gradients(h, CUDNN_BATCHNORM_SPATIAL, {1, 3, 1, 1}, true);
    gradients(h, CUDNN_BATCHNORM_PER_ACTIVATION, {1, 3, 2, 5}, false);
    DNN(cudnnDestroy(h));
    printf("done\n");
    return 0;
}
