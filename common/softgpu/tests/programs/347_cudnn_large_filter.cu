// SPDX-License-Identifier: MIT
// flags: -lcudnn
// once: launches no kernel
// A filter of 11 x 11 over 32 channels: an element of the output is a sum of
// 3872 products.  It runs long enough for the signal that preempts
// kernels, which must not arrive in code that moves the stack pointer.
#include <cudnn.h>

#include <cmath>
#include <cstdio>
#include <vector>

enum { C = 32, SIDE = 56, K = 64, R = 11, PIXELS = SIDE * SIDE };

// A value from -1 to 1 for each index.
static float value(unsigned i)
{
    return (float)(i * 2654435761u >> 16 & 1023) / 512 - 1;
}

static float *upload(std::vector<float> &host)
{
    float *device;

    for (size_t i = 0; i < host.size(); i++)
        host[i] = value((unsigned)i);
    cudaMalloc(&device, host.size() * sizeof(float));
    cudaMemcpy(device, host.data(), host.size() * sizeof(float),
               cudaMemcpyHostToDevice);
    return device;
}

// The error of an element, times the rounding of a sum of float.
static double error_of(const std::vector<float> &x, const std::vector<float> &w,
                       float got, int k, int row, int column)
{
    double sum = 0, all = 0;

    for (int c = 0; c < C; c++)
        for (int r = 0; r < R; r++)
            for (int s = 0; s < R; s++) {
                const int h = row + r - R / 2, v = column + s - R / 2;

                if (h < 0 || h >= SIDE || v < 0 || v >= SIDE)
                    continue;
                const double p = (double)x[(c * SIDE + h) * SIDE + v]
                                 * w[((k * C + c) * R + r) * R + s];
                sum += p;
                all += fabs(p);
            }
    return fabs(sum - got) / (all * 0x1p-24);
}

int main()
{
    std::vector<float> x(C * PIXELS), w(K * C * R * R), y(K * PIXELS);
    float *dx = upload(x), *dw = upload(w), *dy = upload(y), one = 1, zero = 0;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t in, out;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t convolution;
    double worst = 0;
    int failed = cudnnCreate(&handle);

    failed |= cudnnCreateTensorDescriptor(&in);
    failed |= cudnnCreateTensorDescriptor(&out);
    failed |= cudnnCreateFilterDescriptor(&filter);
    failed |= cudnnCreateConvolutionDescriptor(&convolution);
    failed |= cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW,
                                         CUDNN_DATA_FLOAT, 1, C, SIDE, SIDE);
    failed |= cudnnSetTensor4dDescriptor(out, CUDNN_TENSOR_NCHW,
                                         CUDNN_DATA_FLOAT, 1, K, SIDE, SIDE);
    failed |= cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT,
                                         CUDNN_TENSOR_NCHW, K, C, R, R);
    failed |= cudnnSetConvolution2dDescriptor(
        convolution, R / 2, R / 2, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
        CUDNN_DATA_FLOAT);
    for (int i = 0; i < 3; i++)
        failed |= cudnnConvolutionForward(
            handle, &one, in, dx, filter, dw, convolution,
            CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, NULL, 0, &zero, out, dy);
    failed |= cudaMemcpy(y.data(), dy, y.size() * sizeof(float),
                         cudaMemcpyDeviceToHost);
    for (int i = 0; i < 200; i++) {
        const int at = (int)((unsigned)i * 7919 % (K * PIXELS));

        worst = fmax(worst, error_of(x, w, y[at], at / PIXELS,
                                     at % PIXELS / SIDE, at % SIDE));
    }
    printf("%s, %s\n", failed ? "failed" : "done",
           worst < 64 ? "right" : "wrong");
    failed |= cudnnDestroyConvolutionDescriptor(convolution);
    failed |= cudnnDestroyFilterDescriptor(filter);
    failed |= cudnnDestroyTensorDescriptor(in);
    failed |= cudnnDestroyTensorDescriptor(out);
    failed |= cudnnDestroy(handle);
    failed |= cudaFree(dx) | cudaFree(dw) | cudaFree(dy);
    return failed;
}
