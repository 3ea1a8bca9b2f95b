/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers of the cuDNN test programs: tensors in managed memory and
 *  comparisons with a reference in double.
 */
#ifndef CUDNN_CHECK_H
#define CUDNN_CHECK_H

#include <cmath>
#include <functional>
#include <vector>

#include <cudnn.h>

#include "check.h"

/** This call must succeed; says so if not. */
#define DNN(call)                                                           \
    do {                                                                    \
        const cudnnStatus_t status_ = (call);                               \
        if (status_ != CUDNN_STATUS_SUCCESS)                                \
            printf("line %d: %s: %s\n", __LINE__, #call,                    \
                   cudnnGetErrorString(status_));                           \
    } while (0)

/** A number in [-1, 1), the same ones in each run. */
static inline double next_number()
{
    static unsigned long long state = 88172645463325252ull;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 4503599627370496.0 - 1.0;
}

/** cuDNN's name of a type. */
template <class T> static inline cudnnDataType_t type_of();
template <> inline cudnnDataType_t type_of<float>() { return CUDNN_DATA_FLOAT; }
template <> inline cudnnDataType_t type_of<double>()
{
    return CUDNN_DATA_DOUBLE;
}

/** A tensor of random numbers. */
template <class T> struct tensor {
    std::vector<int> size, stride;
    size_t count, room; /**< elements, and with the gaps between */
    cudnnTensorDescriptor_t desc;
    T *data; /**< managed */

    /** Packed, or with strides. */
    tensor(std::vector<int> size_, std::vector<int> stride_ = {})
        : size(size_), stride(stride_), count(1), room(1)
    {
        if (stride.empty()) {
            stride.assign(size.size(), 1);
            for (size_t d = size.size() - 1; d-- > 0;)
                stride[d] = stride[d + 1] * size[d + 1];
        }
        for (size_t d = 0; d < size.size(); d++) {
            count *= (size_t)size[d];
            room += (size_t)(size[d] - 1) * (size_t)stride[d];
        }
        data = managed<T>(room);
        for (size_t i = 0; i < room; i++)
            data[i] = (T)next_number();
        DNN(cudnnCreateTensorDescriptor(&desc));
        DNN(cudnnSetTensorNdDescriptor(desc, type_of<T>(), (int)size.size(),
                                       size.data(), stride.data()));
    }
    tensor(const tensor &) = delete;
    ~tensor()
    {
        cudnnDestroyTensorDescriptor(desc);
        cudaFree(data);
    }

    /** Where element i lies, in logical order. */
    size_t at(size_t i) const
    {
        size_t place = 0;

        for (size_t d = size.size(); d-- > 0; i /= (size_t)size[d])
            place += i % (size_t)size[d] * (size_t)stride[d];
        return place;
    }
    T &operator[](size_t i) { return data[at(i)]; }
    T operator[](size_t i) const { return data[at(i)]; }
    /** Element (n, c, h, w). */
    T &operator()(int n, int c, int h, int w)
    {
        return data[(size_t)(n * stride[0] + c * stride[1] + h * stride[2]
                             + w * stride[3])];
    }
    /** All elements in logical order. */
    std::vector<double> values() const
    {
        std::vector<double> all(count);

        for (size_t i = 0; i < count; i++)
            all[i] = (double)(*this)[i];
        return all;
    }
};

/** Say where a tensor is not what it should be. */
template <class T>
static void same(const char *what, const tensor<T> &got,
                 const std::vector<double> &want, double tolerance)
{
    size_t wrong = 0;

    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < got.count; i++) {
        const double off = std::fabs((double)got[i] - want[i]);

        if (!(off <= tolerance * (1 + std::fabs(want[i]))) && wrong++ == 0)
            printf("%s: element %zu is %.9g, should be %.9g\n", what, i,
                   (double)got[i], want[i]);
    }
    if (wrong)
        printf("%s: %zu of %zu wrong\n", what, wrong, got.count);
}

/** The gradient of sum(dy y) by x must be what dx holds: some elements of x
 *  are moved a little, forward() is done again. */
static inline void gradient(const char *what, tensor<double> &x,
                            const tensor<double> &y, const tensor<double> &dy,
                            const tensor<double> &dx,
                            std::function<void()> forward)
{
    const double h = 1e-5;
    const std::vector<double> got = dx.values();

    for (size_t i = 0; i < x.count; i += x.count / 23 + 1) {
        const double was = x[i];
        double loss[2] = {0, 0};

        for (int side = 0; side < 2; side++) {
            x[i] = was + (side ? h : -h);
            forward();
            OK(cudaDeviceSynchronize());
            for (size_t k = 0; k < y.count; k++)
                loss[side] += y[k] * dy[k];
        }
        x[i] = was;
        const double want = (loss[1] - loss[0]) / (2 * h);
        if (!(std::fabs(got[i] - want) <= 1e-6 * (1 + std::fabs(want))))
            printf("%s: gradient %zu is %.9g, should be %.9g\n", what, i,
                   got[i], want);
    }
    forward();
    OK(cudaDeviceSynchronize());
}

#endif
