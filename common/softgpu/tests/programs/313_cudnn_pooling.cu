// SPDX-License-Identifier: MIT
// flags: -lcudnn
// Pooling, all modes: values against double, gradients by differences, ties.
#include <cstring>

#include "cudnn_check.h"

struct shape {
    int h, w, window, pad, stride;
};

static double pool(tensor<float> &x, const shape &s, int mode, int n, int c,
                   int u, int v)
{
    double most = -INFINITY, sum = 0;
    int inside = 0;

    for (int i = 0; i < s.window * s.window; i++) {
        const int y = u * s.stride - s.pad + i / s.window;
        const int z = v * s.stride - s.pad + i % s.window;
        if (y < 0 || z < 0 || y >= s.h || z >= s.w)
            continue;
        most = std::fmax(most, x(n, c, y, z));
        sum += x(n, c, y, z);
        inside++;
    }
    if (mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING)
        return sum / (s.window * s.window);
    return mode == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING ? sum / inside
                                                               : most;
}

static void try_shape(cudnnHandle_t h, cudnnPoolingDescriptor_t desc,
                      const shape &s, int mode)
{
    tensor<float> x({2, 3, s.h, s.w}, {3 * s.h * s.w + 4, s.h * s.w, s.w, 1});
    const float alpha = 2, beta = -1;
    int n, c, p, q;

    DNN(cudnnSetPooling2dDescriptor(desc, (cudnnPoolingMode_t)mode,
                                    CUDNN_PROPAGATE_NAN, s.window, s.window,
                                    s.pad, s.pad, s.stride, s.stride));
    DNN(cudnnGetPooling2dForwardOutputDim(desc, x.desc, &n, &c, &p, &q));
    tensor<float> y({n, c, p, q});
    const std::vector<double> was = y.values();
    std::vector<double> want(y.count);
    for (int i = 0; i < (int)y.count; i++)
        want[i] = 2 * pool(x, s, mode, i / q / p / c, i / q / p % c,
                           i / q % p, i % q) - was[i];
    DNN(cudnnPoolingForward(h, desc, &alpha, x.desc, x.data, &beta, y.desc,
                            y.data));
    same("forward", y, want, 1e-6);
    tensor<double> dx({2, 3, s.h, s.w}), xd({2, 3, s.h, s.w});
    tensor<double> yd({n, c, p, q}), dy({n, c, p, q});
    const double one = 1, zero = 0;
    const auto forward = [&] {
        DNN(cudnnPoolingForward(h, desc, &one, xd.desc, xd.data, &zero, yd.desc,
                                yd.data));
    };
    forward();
    DNN(cudnnPoolingBackward(h, desc, &one, yd.desc, yd.data, dy.desc, dy.data,
                             xd.desc, xd.data, &zero, dx.desc, dx.data));
    OK(cudaDeviceSynchronize());
    gradient("pooling", xd, yd, dy, dx, forward);
}

// All equal: the gradient arrives once, not at each of them.
static void ties(cudnnHandle_t h, cudnnPoolingDescriptor_t desc)
{
    tensor<float> x({1, 1, 4, 4}), y({1, 1, 2, 2}), dy({1, 1, 2, 2});
    tensor<float> dx({1, 1, 4, 4});
    const float one = 1, zero = 0;
    double total = 0;

    for (size_t i = 0; i < x.count; i++)
        x[i] = 7;
    for (size_t i = 0; i < dy.count; i++)
        dy[i] = 1;
    DNN(cudnnSetPooling2dDescriptor(desc, CUDNN_POOLING_MAX_DETERMINISTIC,
                                    CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
    DNN(cudnnPoolingForward(h, desc, &one, x.desc, x.data, &zero, y.desc,
                            y.data));
    DNN(cudnnPoolingBackward(h, desc, &one, y.desc, y.data, dy.desc, dy.data,
                             x.desc, x.data, &zero, dx.desc, dx.data));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < dx.count; i++)
        total += dx[i];
    EXPECT(total == 4);
}

// Values of which several are equal, or none is a maximum.
static float odd_value(int i)
{
    static const float values[] = {1,    -1,       0,        -0.0f,    NAN, 2,
                                   0.5f, INFINITY, -INFINITY, -INFINITY};

    if (i % 90 >= 60) return i % 4 ? -INFINITY : NAN;
    return i % 50 < 8 ? -INFINITY : i % 50 < 14 ? NAN : values[i * 7 % 10];
}

// Bits of elements in different layouts.
static void same_bits(tensor<float> &a, tensor<float> &b, int p, int q)
{
    for (int i = 0; i < 2 * 3 * p * q; i++) {
        const int n = i / q / p / 3, c = i / q / p % 3, u = i / q % p;
        EXPECT(!memcmp(&a(n, c, u, i % q), &b(n, c, u, i % q), sizeof(float)));
    }
}

// Rows of floats, and rows with the channels between, give the same bits.
static void layouts(cudnnHandle_t h, cudnnPoolingDescriptor_t desc,
                    const shape &s, cudnnNanPropagation_t nan)
{
    const float one = 1, zero = 0;
    int n, c, p, q;
    tensor<float> x({2, 3, s.h, s.w}), dx({2, 3, s.h, s.w});
    tensor<float> x2({2, 3, s.h, s.w}, {3 * s.h * s.w, 1, 3 * s.w, 3});
    tensor<float> dx2({2, 3, s.h, s.w}, {3 * s.h * s.w, 1, 3 * s.w, 3});

    DNN(cudnnSetPooling2dDescriptor(desc, CUDNN_POOLING_MAX, nan, s.window,
                                    s.window, s.pad, s.pad, s.stride,
                                    s.stride));
    DNN(cudnnGetPooling2dForwardOutputDim(desc, x.desc, &n, &c, &p, &q));
    tensor<float> y({n, c, p, q}), y2({n, c, p, q}, {3 * p * q, 1, 3 * q, 3});
    tensor<float> dy({n, c, p, q}), dy2({n, c, p, q}, {3 * p * q, 1, 3 * q, 3});
    for (int i = 0; i < 2 * 3 * s.h * s.w; i++)
        x(i / s.w / s.h / 3, i / s.w / s.h % 3, i / s.w % s.h, i % s.w) =
            x2(i / s.w / s.h / 3, i / s.w / s.h % 3, i / s.w % s.h, i % s.w) =
                odd_value(i);
    for (int i = 0; i < n * c * p * q; i++)
        dy(i / q / p / 3, i / q / p % 3, i / q % p, i % q) =
            dy2(i / q / p / 3, i / q / p % 3, i / q % p, i % q) =
                i % 5 ? (float)i : -0.0f;
    DNN(cudnnPoolingForward(h, desc, &one, x.desc, x.data, &zero, y.desc,
                            y.data));
    DNN(cudnnPoolingForward(h, desc, &one, x2.desc, x2.data, &zero, y2.desc,
                            y2.data));
    DNN(cudnnPoolingBackward(h, desc, &one, y.desc, y.data, dy.desc, dy.data,
                             x.desc, x.data, &zero, dx.desc, dx.data));
    DNN(cudnnPoolingBackward(h, desc, &one, y2.desc, y2.data, dy2.desc,
                             dy2.data, x2.desc, x2.data, &zero, dx2.desc,
                             dx2.data));
    OK(cudaDeviceSynchronize());
    same_bits(y, y2, p, q);
    same_bits(dx, dx2, s.h, s.w);
}

int main()
{
    const shape shapes[] = {{4, 4, 2, 0, 2}, {5, 7, 2, 0, 2}, {7, 6, 3, 1, 2},
                            {6, 6, 3, 2, 1}, {9, 9, 4, 0, 3}, {3, 3, 3, 0, 1}};
    cudnnHandle_t h;
    cudnnPoolingDescriptor_t desc;
    int tried = 0;

    DNN(cudnnCreate(&h));
    DNN(cudnnCreatePoolingDescriptor(&desc));
    for (const shape &s : shapes)
        for (int mode = 0; mode < 4; mode++, tried++)
            try_shape(h, desc, s, mode);
    for (const shape &s : {shape{6, 8, 2, 0, 2}, shape{11, 9, 2, 0, 2},
                           shape{7, 10, 3, 0, 3}, shape{9, 9, 3, 1, 3}}) {
        layouts(h, desc, s, CUDNN_PROPAGATE_NAN);
        layouts(h, desc, s, CUDNN_NOT_PROPAGATE_NAN);
    }
    ties(h, desc);
    DNN(cudnnDestroyPoolingDescriptor(desc));
    DNN(cudnnDestroy(h));
    printf("%d poolings\n", tried);
    return 0;
}
