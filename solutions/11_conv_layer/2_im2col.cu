/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution layer, step 2: the windows of an image become the columns of a
 *  matrix (im2col), and each sum a product of matrices. */
#include "slices.h"

enum { TILE = 16 };

/** C = A B for each image: C is m x n and dense, A and B have any steps. */
struct product {
    int m, n, k;                      /**< sizes */
    long long a_row, a_column, a_image; /**< floats of A from one to the next */
    long long b_row, b_column, b_image; /**< likewise of B */
};

/** A thread owns an element of C, a block a tile of 16 x 16.
 *
 *  Grid (tiles across, tiles down, images), block 16 x 16, 2,048 bytes of
 *  shared memory.  Each element of A and B is read once a tile, 16 times less
 *  often than used.  The barriers separate staging, use, and staging again.
 */
__global__ void multiply(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c,
                         struct product g)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;

    a += blockIdx.z * g.a_image;
    b += blockIdx.z * g.b_image;
    for (int k = 0; k < g.k; k += TILE) {
        s_a[y][x] = row < g.m && k + x < g.k
                        ? a[row * g.a_row + (k + x) * g.a_column] : 0;
        s_b[y][x] = column < g.n && k + y < g.k
                        ? b[(k + y) * g.b_row + column * g.b_column] : 0;
        __syncthreads(); /* the tiles are whole */
        for (int i = 0; i < TILE; i++)
            sum += s_a[y][i] * s_b[i][x];
        __syncthreads(); /* nobody reads them any more */
    }
    if (row < g.m && column < g.n)
        c[((size_t)blockIdx.z * g.m + row) * g.n + column] = sum;
}

/** A thread owns col[n][c r s][p q], a copy of one pixel or a zero.
 *  Grid ceil(elements / 256), block 256. */
__global__ void unroll(const float *__restrict__ x, float *__restrict__ col,
                       struct layer g)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int q = i % g.q, p = i / g.q % g.p;
    const size_t tap = i / g.q / g.p;
    const int s = tap % g.s, r = tap / g.s % g.r;
    const size_t plane = tap / g.s / g.r; /* n c + channel */
    const int u = p * g.stride + r - g.pad, v = q * g.stride + s - g.pad;
    const bool inside = u >= 0 && u < g.h && v >= 0 && v < g.w;

    if (plane < (size_t)g.n * g.c)
        col[i] = inside ? x[(plane * g.h + u) * g.w + v] : 0;
}

/** The way back: a thread owns x_grad[n][c][h][w] and adds up what its pixel
 *  became.  Grid ceil(elements / 256), block 256. */
__global__ void fold(const float *__restrict__ col, float *__restrict__ x_grad,
                     struct layer g)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int v = i % g.w, u = i / g.w % g.h;
    const size_t plane = i / g.w / g.h;
    float sum = 0;

    if (plane >= (size_t)g.n * g.c) return;
    for (int r = 0; r < g.r; r++)
        for (int s = 0; s < g.s; s++) {
            const int up = u + g.pad - r, left = v + g.pad - s;
            const int p = up / g.stride, q = left / g.stride;

            if (up >= 0 && left >= 0 && up % g.stride == 0
                && left % g.stride == 0 && p < g.p && q < g.q)
                sum += col[(((plane * g.r + r) * g.s + s) * g.p + p) * g.q
                           + q];
        }
    x_grad[i] = sum;
}

/* Floats of one unrolled image. */
static size_t unrolled(const struct conv_shape *s)
{
    return (size_t)s->c * s->r * s->s * plane_size(s);
}

/* Images at a time: 16 MiB of d_work and what gridDim.z goes to, but one image
 * at least. */
static int share(const struct conv_shape *s)
{
    const size_t room = ((size_t)1 << 22) / (unrolled(s) + filter_size(s));
    const size_t most = room < 65535 ? room : 65535;

    return most < 1 ? 1 : most < (size_t)s->n ? (int)most : s->n;
}

size_t conv_workspace(const struct conv_shape *shape)
{
    if (!is_allowed(shape)) return 0;
    return share(shape) * (unrolled(shape) + filter_size(shape))
           * sizeof(float);
}

static cudaError_t unroll_images(const struct conv_shape *s, const float *d_x,
                                 float *d_col)
{
    const size_t size = s->n * unrolled(s);

    unroll<<<(unsigned)tiles_for(size, THREADS), THREADS>>>(d_x, d_col,
                                                            layer_of(s));
    return CUDA_CHECK(cudaGetLastError());
}

static cudaError_t multiply_images(const float *d_a, const float *d_b,
                                   float *d_c, int images,
                                   const struct product *g)
{
    const dim3 grid((unsigned)tiles_for(g->n, TILE),
                    (unsigned)tiles_for(g->m, TILE), images);

    multiply<<<grid, dim3(TILE, TILE)>>>(d_a, d_b, d_c, *g);
    return CUDA_CHECK(cudaGetLastError());
}

/* The three functions, for as many images as d_work takes. */

static cudaError_t forward_some(const struct conv_shape *s, const float *d_x,
                                const float *d_w, float *d_y, float *d_work)
{
    const int taps = s->c * s->r * s->s, plane = plane_size(s);
    const struct product g = {s->k, plane, taps, taps, 1, 0, plane, 1,
                              (long long)unrolled(s)};
    cudaError_t err = unroll_images(s, d_x, d_work);

    return err ? err : multiply_images(d_w, d_work, d_y, s->n, &g);
}

static cudaError_t data_some(const struct conv_shape *s, const float *d_w,
                             const float *d_y_grad, float *d_x_grad,
                             float *d_work)
{
    const int taps = s->c * s->r * s->s, plane = plane_size(s);
    const size_t size = (size_t)s->n * s->c * s->h * s->w;
    const struct product g = {taps, plane, s->k, 1, taps, 0, plane, 1,
                              (long long)s->k * plane};
    cudaError_t err = multiply_images(d_w, d_y_grad, d_work, s->n, &g);

    if (err) return err;
    fold<<<(unsigned)tiles_for(size, THREADS), THREADS>>>(
        d_work, d_x_grad, layer_of(s));
    return CUDA_CHECK(cudaGetLastError());
}

static cudaError_t filter_some(const struct conv_shape *s, const float *d_x,
                               const float *d_y_grad, float *d_w_grad,
                               float *d_work, bool more)
{
    const int taps = s->c * s->r * s->s, plane = plane_size(s);
    const struct product g = {s->k, taps, plane, plane, 1,
                              (long long)s->k * plane, 1, plane,
                              (long long)unrolled(s)};
    float *d_parts = d_work + s->n * unrolled(s);
    cudaError_t err = unroll_images(s, d_x, d_work);

    if (!err) err = multiply_images(d_y_grad, d_work, d_parts, s->n, &g);
    if (err) return err;
    return add_slices(d_parts, d_w_grad, s->n, (int)filter_size(s), more);
}

/* The shape with as many images as remain at `first`, and fit. */
static struct conv_shape part_at(const struct conv_shape *shape, int first)
{
    struct conv_shape part = *shape;
    const int most = share(shape);

    part.n = shape->n - first < most ? shape->n - first : most;
    return part;
}

static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *d_work)
{
    const size_t in = (size_t)shape->c * shape->h * shape->w;
    const size_t out = (size_t)shape->k * plane_size(shape);
    cudaError_t err = cudaSuccess;

    for (int i = 0; !err && i < shape->n; i += share(shape)) {
        const struct conv_shape part = part_at(shape, i);
        err = forward_some(&part, d_x + i * in, d_w, d_y + i * out, d_work);
    }
    return err;
}

static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *d_work)
{
    const size_t in = (size_t)shape->c * shape->h * shape->w;
    const size_t out = (size_t)shape->k * plane_size(shape);
    cudaError_t err = cudaSuccess;

    for (int i = 0; !err && i < shape->n; i += share(shape)) {
        const struct conv_shape part = part_at(shape, i);
        err = data_some(&part, d_w, d_y_grad + i * out, d_x_grad + i * in,
                        d_work);
    }
    return err;
}

static cudaError_t backward_filter(const struct conv_shape *shape,
                                   const float *d_x, const float *d_y_grad,
                                   float *d_w_grad, float *d_work)
{
    const size_t in = (size_t)shape->c * shape->h * shape->w;
    const size_t out = (size_t)shape->k * plane_size(shape);
    cudaError_t err = cudaSuccess;

    for (int i = 0; !err && i < shape->n; i += share(shape)) {
        const struct conv_shape part = part_at(shape, i);
        err = filter_some(&part, d_x + i * in, d_y_grad + i * out, d_w_grad,
                          d_work, i > 0);
    }
    return err;
}
