// SPDX-License-Identifier: MIT
// flags: -lcudnn
// Operations on tensors: two at a time, reductions with indices, transforms of
// layout and type, fill, scale.
#include <cuda_fp16.h>

#include "cudnn_check.h"

static void operations(cudnnHandle_t h)
{
    tensor<float> a({2, 3, 4, 5}), b({1, 3, 1, 5}), c({2, 3, 4, 5});
    const float alpha1 = 2, alpha2 = -3, beta = 0.5f;
    cudnnOpTensorDescriptor_t desc;

    DNN(cudnnCreateOpTensorDescriptor(&desc));
    for (int op = 0; op <= CUDNN_OP_TENSOR_NOT; op++) {
        const std::vector<double> was = c.values();
        std::vector<double> want(c.count);
        for (size_t i = 0; i < c.count; i++) {
            a[i] = std::fabs(a[i]);
            const double x = 2.0 * a[i];
            const double y = -3.0 * b[i / 20 % 3 * 5 + i % 5];
            const double all[] = {x + y, x * y, std::fmin(x, y),
                                  std::fmax(x, y), std::sqrt(x), 1 - x};
            want[i] = all[op] + 0.5 * was[i];
        }
        DNN(cudnnSetOpTensorDescriptor(desc, (cudnnOpTensorOp_t)op,
                                       CUDNN_DATA_FLOAT,
                                       CUDNN_NOT_PROPAGATE_NAN));
        DNN(cudnnOpTensor(h, desc, &alpha1, a.desc, a.data, &alpha2, b.desc,
                          b.data, &beta, c.desc, c.data));
        same("operation", c, want, 1e-6);
    }
    DNN(cudnnDestroyOpTensorDescriptor(desc));
}

// Reduce over N and W: c is {1, 3, 4, 1}.
static double reduced(const tensor<float> &a, size_t of, int op, unsigned *at)
{
    double r = op == CUDNN_REDUCE_TENSOR_MUL
               || op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS;
    double best = -1;

    for (unsigned i = 0; i < 10; i++) { // n, w
        const double x = a[i / 5 * 60 + of * 5 + i % 5];
        const double key = op == CUDNN_REDUCE_TENSOR_MIN ? 2 - x
                           : op == CUDNN_REDUCE_TENSOR_MAX ? 2 + x
                                                           : std::fabs(x);
        if (op >= CUDNN_REDUCE_TENSOR_MIN && op <= CUDNN_REDUCE_TENSOR_AMAX) {
            if (key > best) {
                best = key;
                *at = i;
                r = op == CUDNN_REDUCE_TENSOR_AMAX ? key : x;
            }
        } else if (op == CUDNN_REDUCE_TENSOR_MUL
                   || op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS) {
            r *= x == 0 && op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS ? 1 : x;
        } else {
            r += op == CUDNN_REDUCE_TENSOR_NORM1 ? std::fabs(x)
                 : op == CUDNN_REDUCE_TENSOR_NORM2 ? x * x : x;
        }
    }
    return op == CUDNN_REDUCE_TENSOR_NORM2 ? std::sqrt(r)
           : op == CUDNN_REDUCE_TENSOR_AVG ? r / 10 : r;
}

static void reductions(cudnnHandle_t h)
{
    tensor<float> a({2, 3, 4, 5}), c({1, 3, 4, 1});
    unsigned *index = managed<unsigned>(12);
    const float alpha = 2, beta = -1;
    cudnnReduceTensorDescriptor_t desc;

    a[7] = 0;
    DNN(cudnnCreateReduceTensorDescriptor(&desc));
    for (int op = 0; op <= CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS; op++) {
        const std::vector<double> was = c.values();
        std::vector<double> want(c.count);
        unsigned places[12] = {0};
        size_t bytes, work;
        for (size_t i = 0; i < c.count; i++)
            want[i] = 2 * reduced(a, i, op, &places[i]) - was[i];
        DNN(cudnnSetReduceTensorDescriptor(
            desc, (cudnnReduceTensorOp_t)op, CUDNN_DATA_FLOAT,
            CUDNN_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_FLATTENED_INDICES,
            CUDNN_32BIT_INDICES));
        DNN(cudnnGetReductionIndicesSize(h, desc, a.desc, c.desc, &bytes));
        DNN(cudnnGetReductionWorkspaceSize(h, desc, a.desc, c.desc, &work));
        DNN(cudnnReduceTensor(h, desc, index, bytes, nullptr, work, &alpha,
                              a.desc, a.data, &beta, c.desc, c.data));
        same("reduction", c, want, 1e-5);
        for (int i = 0; bytes && i < 12; i++)
            EXPECT(index[i] == places[i]);
    }
    DNN(cudnnDestroyReduceTensorDescriptor(desc));
}

// NCHW floats to NHWC halves and back; fill and scale.
static void transforms(cudnnHandle_t h)
{
    tensor<float> x({2, 3, 4, 5}), y({2, 3, 4, 5});
    const std::vector<double> was = x.values();
    std::vector<double> want(x.count);
    __half *halves = managed<__half>(x.count);
    cudnnTensorDescriptor_t desc;
    const float one = 1, zero = 0, two = 2, value = 3.5f;

    DNN(cudnnCreateTensorDescriptor(&desc));
    DNN(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, 2,
                                   3, 4, 5));
    DNN(cudnnTransformTensor(h, &two, x.desc, x.data, &zero, desc, halves));
    DNN(cudnnTransformTensor(h, &one, desc, halves, &zero, y.desc, y.data));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < x.count; i++) { // n, c, h, w to n, h, w, c
        const __half half = __float2half((float)(2 * was[i]));
        const size_t at = i / 60 * 60 + i % 20 * 3 + i / 20 % 3;
        EXPECT(__half2float(halves[at]) == __half2float(half));
        want[i] = __half2float(half);
    }
    same("transform", y, want, 0);
    DNN(cudnnSetTensor(h, y.desc, y.data, &value));
    DNN(cudnnScaleTensor(h, y.desc, y.data, &two));
    same("fill", y, std::vector<double>(y.count, 7), 0);
    DNN(cudnnDestroyTensorDescriptor(desc));
}

int main()
{
    cudnnHandle_t h;

    DNN(cudnnCreate(&h));
    operations(h);
    reductions(h);
    transforms(h);
    DNN(cudnnDestroy(h));
    printf("done\n");
    return 0;
}
