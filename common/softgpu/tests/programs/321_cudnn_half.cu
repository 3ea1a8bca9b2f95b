// SPDX-License-Identifier: MIT
// flags: -lcudnn
// A convolution of halves, forward and both ways back: as exact as halves are,
// whole numbers being exact.
#include <cuda_fp16.h>

#include "cudnn_check.h"

enum { N = 2, C = 3, K = 4, SIDE = 6 };

// Small whole numbers, and as floats.
static __half *numbers(int n, std::vector<double> &all)
{
    __half *p = managed<__half>((size_t)n);

    for (int i = 0; i < n; i++) {
        all.push_back(std::floor(4 * next_number()));
        p[i] = __float2half((float)all.back());
    }
    return p;
}

static void compare(const char *what, const __half *got,
                    const std::vector<double> &want)
{
    for (size_t i = 0; i < want.size(); i++)
        if ((double)__half2float(got[i]) != want[i]) {
            printf("%s: element %zu is %g, should be %g\n", what, i,
                   (double)__half2float(got[i]), want[i]);
            return;
        }
}

// Call f with each output and the input and the weight that it multiplies.
template <class F> static void each_product(F f)
{
    for (int o = 0; o < N * K * SIDE * SIDE; o++)
        for (int t = 0; t < C * 9; t++) {
            const int r = o / SIDE % SIDE - 1 + t / 3 % 3;
            const int s = o % SIDE - 1 + t % 3;
            const int k = o / SIDE / SIDE % K, n = o / SIDE / SIDE / K;
            if (r < 0 || s < 0 || r >= SIDE || s >= SIDE)
                continue;
            f((size_t)o, (size_t)((n * C + t / 9) * SIDE + r) * SIDE + s,
              (size_t)(k * C * 9 + t));
        }
}

int main()
{
    std::vector<double> x, w, y, wx(N * C * SIDE * SIDE), ww(K * C * 9);
    std::vector<double> wy(N * K * SIDE * SIDE);
    __half *d_x = numbers(N * C * SIDE * SIDE, x);
    __half *d_w = numbers(K * C * 9, w), *d_y = numbers(N * K * SIDE * SIDE, y);
    const float one = 1, zero = 0;
    cudnnHandle_t h;
    cudnnTensorDescriptor_t xd, yd;
    cudnnFilterDescriptor_t wd;
    cudnnConvolutionDescriptor_t cd;
    void *work;

    OK(cudaMalloc(&work, 1 << 16));
    DNN(cudnnCreate(&h));
    DNN(cudnnCreateTensorDescriptor(&xd));
    DNN(cudnnCreateTensorDescriptor(&yd));
    DNN(cudnnCreateFilterDescriptor(&wd));
    DNN(cudnnCreateConvolutionDescriptor(&cd));
    DNN(cudnnSetTensor4dDescriptor(xd, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, N, C,
                                   SIDE, SIDE));
    DNN(cudnnSetTensor4dDescriptor(yd, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, N, K,
                                   SIDE, SIDE));
    DNN(cudnnSetFilter4dDescriptor(wd, CUDNN_DATA_HALF, CUDNN_TENSOR_NCHW, K, C,
                                   3, 3));
    DNN(cudnnSetConvolution2dDescriptor(cd, 1, 1, 1, 1, 1, 1,
                                        CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
    each_product([&](size_t o, size_t i, size_t j) {
        wy[o] += x[i] * w[j];
        wx[i] += y[o] * w[j];
        ww[j] += y[o] * x[i];
    });
    __half *d_wx = managed<__half>(wx.size());
    __half *d_ww = managed<__half>(w.size());
    DNN(cudnnConvolutionBackwardData(h, &one, wd, d_w, yd, d_y, cd,
                                     CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, work,
                                     1 << 16, &zero, xd, d_wx));
    DNN(cudnnConvolutionBackwardFilter(h, &one, xd, d_x, yd, d_y, cd,
                                       CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1,
                                       work, 1 << 16, &zero, wd, d_ww));
    DNN(cudnnConvolutionForward(
        h, &one, xd, d_x, wd, d_w, cd,
        CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, work, 1 << 16, &zero,
        yd, d_y));
    OK(cudaDeviceSynchronize());
    compare("forward", d_y, wy);
    compare("backward data", d_wx, wx);
    compare("backward filter", d_ww, ww);
    DNN(cudnnDestroyTensorDescriptor(xd));
    DNN(cudnnDestroyTensorDescriptor(yd));
    DNN(cudnnDestroyFilterDescriptor(wd));
    DNN(cudnnDestroyConvolutionDescriptor(cd));
    DNN(cudnnDestroy(h));
    OK(cudaFree(work));
    printf("done\n");
    return 0;
}
