// SPDX-License-Identifier: MIT
// flags: -lcudnn
// once: launches no kernel, and takes seconds
// The three convolutions against sums in double: padding, strides, dilation,
// groups, layouts, alpha and beta, filters turned round.
#include "cudnn_check.h"

struct shape {
    int n, c, h, w, k, r, s, pad, stride, dilation, groups;
};

struct problem {
    shape of;
    cudnnHandle_t handle;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t convolution;
    bool turned;
};

static std::vector<int> strides(const std::vector<int> &size, bool nhwc)
{
    const int c = size[1], h = size[2], w = size[3];

    return nhwc ? std::vector<int>{h * w * c, 1, w * c, c}
                : std::vector<int>{c * h * w + 5, h * w, w, 1};
}

// Call f(index of x, of w, of y) for each product.
template <class F> static void each(const problem &p, int ph, int pw, F f)
{
    const shape &o = p.of;
    const int cg = o.c / o.groups, kg = o.k / o.groups;

    for (int i = 0; i < o.n * o.k * ph * pw; i++) {
        const int v = i % pw, u = i / pw % ph, k = i / pw / ph % o.k;
        const int n = i / pw / ph / o.k;
        for (int j = 0; j < cg * o.r * o.s; j++) {
            const int s = j % o.s, r = j / o.s % o.r, c = j / o.s / o.r;
            const int y = u * o.stride - o.pad + r * o.dilation;
            const int x = v * o.stride - o.pad + s * o.dilation;
            const int rr = p.turned ? o.r - 1 - r : r;
            const int ss = p.turned ? o.s - 1 - s : s;
            if (y < 0 || x < 0 || y >= o.h || x >= o.w)
                continue;
            f(((n * o.c + k / kg * cg + c) * o.h + y) * o.w + x,
              ((k * cg + c) * o.r + rr) * o.s + ss, i);
        }
    }
}

static void blend(std::vector<double> &to, const std::vector<double> &was,
                  double alpha, double beta)
{
    for (size_t i = 0; i < to.size(); i++)
        to[i] = alpha * to[i] + (beta != 0 ? beta * was[i] : 0);
}

static void *workspace(size_t bytes)
{
    void *p = nullptr;

    OK(cudaMalloc(&p, bytes + 1));
    return p;
}

// The elements of a tensor before a call: NaN where it must not be read.
template <class T>
static void refill(tensor<T> &t, const std::vector<double> &values, T beta)
{
    for (size_t i = 0; i < t.count; i++)
        t[i] = beta != 0 ? (T)values[i] : (T)NAN;
}

// Each algorithm that can do the shape, in each direction.
template <class T>
static void all(const problem &p, tensor<T> &x, tensor<T> &w, tensor<T> &y,
                T alpha, T beta)
{
    const auto x0 = x.values(), w0 = w.values(), y0 = y.values();
    std::vector<double> wx(x.count), ww(w.count), wy(y.count);
    const double error = (sizeof(T) == 8 ? 1e-14 : 2e-6) * std::sqrt(w.count);
    cudnnHandle_t h = p.handle;
    size_t bytes;

    each(p, y.size[2], y.size[3], [&](int i, int j, int o) {
        wy[o] += x0[i] * w0[j];
        wx[i] += y0[o] * w0[j];
        ww[j] += y0[o] * x0[i];
    });
    blend(wx, x0, alpha, beta);
    blend(ww, w0, alpha, beta);
    blend(wy, y0, alpha, beta);
    for (int a = 0; a < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; a++) {
        const auto algo = (cudnnConvolutionFwdAlgo_t)a;
        if (cudnnGetConvolutionForwardWorkspaceSize(
                h, x.desc, p.filter, p.convolution, y.desc, algo, &bytes))
            continue;
        void *work = workspace(bytes);
        refill(y, y0, beta);
        DNN(cudnnConvolutionForward(h, &alpha, x.desc, x.data, p.filter, w.data,
                                    p.convolution, algo, work, bytes, &beta,
                                    y.desc, y.data));
        same("forward", y, wy, error);
        OK(cudaFree(work));
    }
    refill(y, y0, (T)1);
    for (int a = 0; a < CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT; a++) {
        const auto algo = (cudnnConvolutionBwdDataAlgo_t)a;
        if (cudnnGetConvolutionBackwardDataWorkspaceSize(
                h, p.filter, y.desc, p.convolution, x.desc, algo, &bytes))
            continue;
        void *work = workspace(bytes);
        refill(x, x0, beta);
        DNN(cudnnConvolutionBackwardData(h, &alpha, p.filter, w.data, y.desc,
                                         y.data, p.convolution, algo, work,
                                         bytes, &beta, x.desc, x.data));
        same("backward data", x, wx, error);
        OK(cudaFree(work));
    }
    refill(x, x0, (T)1);
    for (int a = 0; a < CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT; a++) {
        const auto algo = (cudnnConvolutionBwdFilterAlgo_t)a;
        if (cudnnGetConvolutionBackwardFilterWorkspaceSize(
                h, x.desc, y.desc, p.convolution, p.filter, algo, &bytes))
            continue;
        void *work = workspace(bytes);
        refill(w, w0, beta);
        DNN(cudnnConvolutionBackwardFilter(h, &alpha, x.desc, x.data, y.desc,
                                           y.data, p.convolution, algo, work,
                                           bytes, &beta, p.filter, w.data));
        same("backward filter", w, ww, error * 3);
        OK(cudaFree(work));
    }
}

template <class T>
static void try_shape(cudnnHandle_t handle, const shape &o, bool nhwc,
                      bool turned, T alpha, T beta)
{
    problem p = {o, handle, nullptr, nullptr, turned};
    const std::vector<int> xs = {o.n, o.c, o.h, o.w};
    const std::vector<int> ws = {o.k, o.c / o.groups, o.r, o.s};
    const int s = nhwc ? ws[1] : 1;
    int ys[4];

    DNN(cudnnCreateFilterDescriptor(&p.filter));
    DNN(cudnnCreateConvolutionDescriptor(&p.convolution));
    DNN(cudnnSetFilter4dDescriptor(
        p.filter, type_of<T>(),
        nhwc ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW, ws[0], ws[1], o.r, o.s));
    DNN(cudnnSetConvolution2dDescriptor(
        p.convolution, o.pad, o.pad, o.stride, o.stride, o.dilation, o.dilation,
        turned ? CUDNN_CONVOLUTION : CUDNN_CROSS_CORRELATION, type_of<T>()));
    DNN(cudnnSetConvolutionGroupCount(p.convolution, o.groups));
    tensor<T> x(xs, strides(xs, nhwc));
    tensor<T> w(ws, nhwc ? std::vector<int>{o.r * o.s * s, 1, o.s * s, s}
                         : std::vector<int>{});
    DNN(cudnnGetConvolution2dForwardOutputDim(p.convolution, x.desc, p.filter,
                                              &ys[0], &ys[1], &ys[2], &ys[3]));
    const std::vector<int> size(ys, ys + 4);
    tensor<T> y(size, strides(size, nhwc));
    all(p, x, w, y, alpha, beta);
    DNN(cudnnDestroyFilterDescriptor(p.filter));
    DNN(cudnnDestroyConvolutionDescriptor(p.convolution));
}

int main()
{
    const shape shapes[] = {
        {1, 1, 5, 5, 1, 3, 3, 0, 1, 1, 1},
        {2, 3, 8, 7, 4, 3, 3, 1, 1, 1, 1},
        {3, 5, 9, 11, 17, 5, 3, 2, 2, 1, 1},
        {2, 4, 10, 9, 6, 3, 3, 2, 1, 2, 2},
        {1, 6, 7, 7, 6, 3, 3, 1, 3, 1, 6},
        {4, 2, 6, 6, 40, 1, 1, 0, 1, 1, 1},
        {9, 16, 12, 12, 32, 3, 3, 1, 1, 1, 1},
        {1, 12, 24, 24, 40, 3, 3, 1, 1, 1, 1}};
    cudnnHandle_t handle;
    int tried = 0;

    DNN(cudnnCreate(&handle));
    for (const shape &o : shapes)
        for (int how = 0; how < 8; how++, tried++) {
            try_shape<float>(handle, o, how & 1, how & 2, how & 4 ? -0.5f : 1.f,
                             how & 4 ? 2.f : 0.f);
            try_shape<double>(handle, o, how & 1, how & 2,
                              how & 4 ? -0.5 : 1., how & 4 ? 2. : 0.);
        }
    DNN(cudnnDestroy(handle));
    printf("%d shapes\n", tried);
    return 0;
}
