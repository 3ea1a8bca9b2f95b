// SPDX-License-Identifier: MIT
// flags: -lcudnn
// The layout of tensors does not change a bit: packed floats, which have loops
// of their own, and the same numbers with gaps and channels last.
#include <cstring>

#include "cudnn_check.h"

typedef std::vector<tensor<float> *> tensors;

static const int C = 3;

// Numbers with all that is special among them; many are equal.
static void fill(tensor<float> &t, bool special)
{
    const float odd[] = {NAN, -0.0f, INFINITY, -INFINITY, 0.0f, 1e-42f};

    for (size_t i = 0; i < t.count; i++) {
        t[i] = (float)std::floor(8 * next_number()) / 3;
        if (special && i % 7 == 3)
            t[i] = odd[i / 7 % 6];
    }
}

static bool equal(float a, float b)
{
    return (std::isnan(a) && std::isnan(b)) || !memcmp(&a, &b, sizeof a);
}

// Do it to packed tensors and to others; the last one is the result.
static void both(const char *what, std::vector<std::vector<int>> sizes,
                 bool special, std::function<void(tensors)> run)
{
    tensors packed, apart;
    size_t wrong = 0;

    for (const std::vector<int> &s : sizes) {
        const int c = s[1] + 1, w = s[3] * c + 2;

        packed.push_back(new tensor<float>(s));
        apart.push_back(new tensor<float>(s, {w * s[2] + 5, 1, w, c}));
        fill(*packed.back(), special);
        for (size_t i = 0; i < packed.back()->count; i++)
            (*apart.back())[i] = (*packed.back())[i];
    }
    run(packed);
    run(apart);
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < packed.back()->count; i++)
        wrong += !equal((*packed.back())[i], (*apart.back())[i]);
    if (wrong)
        printf("%s: %zu of %zu differ\n", what, wrong, packed.back()->count);
    for (size_t i = 0; i < sizes.size(); i++) {
        delete packed[i];
        delete apart[i];
    }
}

static int activations(cudnnHandle_t h, std::vector<int> size)
{
    const float factors[][2] = {{1, 0}, {0.3f, 0}, {-2, 0.7f}};
    cudnnActivationDescriptor_t desc;
    int tried = 0;

    DNN(cudnnCreateActivationDescriptor(&desc));
    for (int mode = 0; mode <= CUDNN_ACTIVATION_SWISH; mode++)
        for (const float *f : factors)
            for (int nan = 0; nan < 2; nan++, tried++) {
                DNN(cudnnSetActivationDescriptor(
                    desc, (cudnnActivationMode_t)mode,
                    (cudnnNanPropagation_t)nan, 1.5));
                both("activation", {size, size}, true, [&](tensors t) {
                    DNN(cudnnActivationForward(h, desc, &f[0], t[0]->desc,
                                               t[0]->data, &f[1], t[1]->desc,
                                               t[1]->data));
                });
                both("its gradient", {size, size, size, size}, true,
                     [&](tensors t) {
                         DNN(cudnnActivationBackward(
                             h, desc, &f[0], t[0]->desc, t[0]->data, t[1]->desc,
                             t[1]->data, t[2]->desc, t[2]->data, &f[1],
                             t[3]->desc, t[3]->data));
                     });
            }
    DNN(cudnnDestroyActivationDescriptor(desc));
    return tried;
}

static int sums(cudnnHandle_t h, std::vector<int> size)
{
    const float factors[][2] = {{1, 1}, {1, 0}, {0.3f, -0.7f}};
    cudnnOpTensorDescriptor_t desc;
    int tried = 0;

    DNN(cudnnCreateOpTensorDescriptor(&desc));
    for (const float *f : factors)
        for (int op = 0; op <= CUDNN_OP_TENSOR_NOT; op++, tried++) {
            DNN(cudnnSetOpTensorDescriptor(desc, (cudnnOpTensorOp_t)op,
                                           CUDNN_DATA_FLOAT,
                                           CUDNN_PROPAGATE_NAN));
            both("operation", {size, {1, C, 1, 1}, size}, true,
                 [&](tensors t) {
                     DNN(cudnnOpTensor(h, desc, &f[0], t[0]->desc, t[0]->data,
                                       &f[1], t[1]->desc, t[1]->data, &f[1],
                                       t[2]->desc, t[2]->data));
                 });
            both("bias", {{1, C, 1, 1}, size}, true, [&](tensors t) {
                DNN(cudnnAddTensor(h, &f[0], t[0]->desc, t[0]->data, &f[1],
                                   t[1]->desc, t[1]->data));
            });
        }
    both("scale", {size}, true, [&](tensors t) {
        DNN(cudnnScaleTensor(h, t[0]->desc, t[0]->data, &factors[2][0]));
    });
    DNN(cudnnDestroyOpTensorDescriptor(desc));
    return tried;
}

// The first of a window's greatest, as the words of the documents have it.
static float greatest(const tensor<float> &x, size_t plane, const int *from,
                      const int *to, bool nan_passes)
{
    const int w = x.size[3];
    float most = -INFINITY;

    for (int i = from[0]; i < to[0]; i++)
        for (int j = from[1]; j < to[1]; j++) {
            const float v = x[plane * (size_t)(x.size[2] * w)
                              + (size_t)(i * w + j)];
            if (std::isnan(v) ? nan_passes : v > most)
                most = v;
            if (std::isnan(most))
                return most;
        }
    return most;
}

// Maxima with every NaN among them, window by window.
static void maxima(tensors t, int window, int pad, int stride, bool nan)
{
    const std::vector<int> &y = t[1]->size;

    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < t[1]->count; i++) {
        const int at[] = {(int)i / y[3] % y[2], (int)i % y[3]};
        int from[2], to[2];

        for (int d = 0; d < 2; d++) {
            from[d] = std::max(at[d] * stride - pad, 0);
            to[d] = std::min(at[d] * stride - pad + window, t[0]->size[2 + d]);
        }
        const float want = greatest(*t[0], i / (size_t)(y[2] * y[3]), from, to,
                                    nan);
        if (!(want == (*t[1])[i] || (std::isnan(want) && nan
                                     && std::isnan((*t[1])[i]))))
            printf("maximum %zu is %g, should be %g\n", i, (*t[1])[i], want);
    }
}

static int poolings(cudnnHandle_t h, std::vector<int> size)
{
    const int shapes[][3] = {{2, 0, 2}, {3, 1, 2}, {3, 1, 1}, {4, 2, 3}};
    const float one = 1, zero = 0;
    cudnnPoolingDescriptor_t desc;
    std::vector<int> y(4);
    int tried = 0;

    DNN(cudnnCreatePoolingDescriptor(&desc));
    for (const int *s : shapes)
        for (int i = 0; i < 8; i++, tried++) {
            const int mode = i / 2, nan = i % 2;
            const bool maximum = mode == 0 || mode == 3;

            DNN(cudnnSetPooling2dDescriptor(
                desc, (cudnnPoolingMode_t)mode, (cudnnNanPropagation_t)nan,
                s[0], s[0], s[1], s[1], s[2], s[2]));
            tensor<float> x(size);
            DNN(cudnnGetPooling2dForwardOutputDim(desc, x.desc, &y[0], &y[1],
                                                  &y[2], &y[3]));
            both("pooling", {size, y}, true, [&](tensors t) {
                DNN(cudnnPoolingForward(h, desc, &one, t[0]->desc, t[0]->data,
                                        &zero, t[1]->desc, t[1]->data));
                if (maximum)
                    maxima(t, s[0], s[1], s[2], nan);
            });
            both("its gradient", {y, y, size, size}, maximum, [&](tensors t) {
                DNN(cudnnPoolingForward(h, desc, &one, t[2]->desc, t[2]->data,
                                        &zero, t[0]->desc, t[0]->data));
                DNN(cudnnPoolingBackward(h, desc, &one, t[0]->desc, t[0]->data,
                                         t[1]->desc, t[1]->data, t[2]->desc,
                                         t[2]->data, &zero, t[3]->desc,
                                         t[3]->data));
            });
        }
    DNN(cudnnDestroyPoolingDescriptor(desc));
    return tried;
}

int main()
{
    cudnnHandle_t h;

    DNN(cudnnCreate(&h));
    for (std::vector<int> size :
         {std::vector<int>{2, C, 19, 31}, {3, C, 5, 4}}) {
        const int a = activations(h, size), s = sums(h, size);

        printf("%d activations, %d operations, %d poolings\n", a, s,
               poolings(h, size));
    }
    DNN(cudnnDestroy(h));
    return 0;
}
