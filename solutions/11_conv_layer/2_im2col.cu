/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution layer, step 2: im2col.  The windows of an image become the
 *  columns of a matrix, and each sum a matrix multiplication. */
#include "partial_sums.h"

enum { TILE = 16 };

/** C = A B for each image: C is m x n and dense, A and B have any strides. */
struct gemm_strides {
    int m, n, k;                      /**< sizes */
    long long a_row_stride, a_column_stride, a_image_stride; /**< strides of A,
                                                                  in floats */
    long long b_row_stride, b_column_stride, b_image_stride; /**< strides of B,
                                                                  in floats */
};

/** A thread owns an element of C, a block a tile of 16 x 16.
 *
 *  Grid (tiles across, tiles down, images), block 16 x 16, 2,048 bytes of
 *  shared memory.  Each element of A and B is loaded once per tile, and used 16
 *  times.  The barriers separate the stores to the tiles from the loads, and
 *  the loads from the next stores.
 */
__global__ void batched_gemm(const float *__restrict__ a,
                             const float *__restrict__ b, float *__restrict__ c,
                             struct gemm_strides g)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;

    a += blockIdx.z * g.a_image_stride;
    b += blockIdx.z * g.b_image_stride;
    for (int k = 0; k < g.k; k += TILE) {
        s_a[y][x] = row < g.m && k + x < g.k
                        ? a[row * g.a_row_stride + (k + x) * g.a_column_stride]
                        : 0;
        s_b[y][x] =
            column < g.n && k + y < g.k
                ? b[(k + y) * g.b_row_stride + column * g.b_column_stride]
                : 0;
        __syncthreads(); /* the tiles are complete */
        for (int i = 0; i < TILE; i++)
            sum += s_a[y][i] * s_b[i][x];
        __syncthreads(); /* all threads have read the tiles */
    }
    if (row < g.m && column < g.n)
        c[((size_t)blockIdx.z * g.m + row) * g.n + column] = sum;
}

/** A thread owns col[n][c r s][p q], a copy of one pixel or a zero.  Grid
 *  ceil(elements / 256), block 256. */
__global__ void im2col(const float *__restrict__ x, float *__restrict__ col,
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

/** The inverse of im2col: a thread owns x_grad[n][c][h][w] and sums all copies
 *  of its pixel.  Grid ceil(elements / 256), block 256. */
__global__ void col2im(const float *__restrict__ col,
                       float *__restrict__ x_grad, struct layer g)
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

/* Floats of the im2col matrix of one image. */
static size_t im2col_floats(const struct conv_shape *s)
{
    return (size_t)s->c * s->r * s->s * output_plane_size(s);
}

/* Images per chunk: 16 MiB of d_work and the limit of gridDim.z, but at least
 * one image. */
static int images_per_chunk(const struct conv_shape *s)
{
    const size_t chunk_limit =
        ((size_t)1 << 22) / (im2col_floats(s) + filter_floats(s));
    const size_t max_images = chunk_limit < 65535 ? chunk_limit : 65535;

    return max_images < 1              ? 1
           : max_images < (size_t)s->n ? (int)max_images
                                       : s->n;
}

size_t conv_workspace(const struct conv_shape *shape)
{
    if (!is_valid_shape(shape)) return 0;
    return images_per_chunk(shape)
           * (im2col_floats(shape) + filter_floats(shape)) * sizeof(float);
}

static cudaError_t launch_im2col(const struct conv_shape *s, const float *d_x,
                                 float *d_col)
{
    const size_t size = s->n * im2col_floats(s);

    im2col<<<(unsigned)ceil_div(size, THREADS), THREADS>>>(
        d_x, d_col, layer_with_outputs(s));
    return CUDA_CHECK(cudaGetLastError());
}

static cudaError_t launch_batched_gemm(const float *d_a, const float *d_b,
                                       float *d_c, int images,
                                       const struct gemm_strides *g)
{
    const dim3 grid((unsigned)ceil_div(g->n, TILE),
                    (unsigned)ceil_div(g->m, TILE), images);

    batched_gemm<<<grid, dim3(TILE, TILE)>>>(d_a, d_b, d_c, *g);
    return CUDA_CHECK(cudaGetLastError());
}

/* The three functions, for a chunk of images. */

static cudaError_t forward_chunk(const struct conv_shape *s, const float *d_x,
                                 const float *d_w, float *d_y, float *d_work)
{
    const int taps = s->c * s->r * s->s, plane = output_plane_size(s);
    const struct gemm_strides g = {s->k, plane, taps, taps, 1, 0, plane, 1,
                              (long long)im2col_floats(s)};
    cudaError_t err = launch_im2col(s, d_x, d_work);

    return err ? err : launch_batched_gemm(d_w, d_work, d_y, s->n, &g);
}

static cudaError_t backward_data_chunk(const struct conv_shape *s,
                                       const float *d_w, const float *d_y_grad,
                                       float *d_x_grad, float *d_work)
{
    const int taps = s->c * s->r * s->s, plane = output_plane_size(s);
    const size_t size = (size_t)s->n * s->c * s->h * s->w;
    const struct gemm_strides g = {taps, plane, s->k, 1, taps, 0, plane, 1,
                              (long long)s->k * plane};
    cudaError_t err = launch_batched_gemm(d_w, d_y_grad, d_work, s->n, &g);

    if (err) return err;
    col2im<<<(unsigned)ceil_div(size, THREADS), THREADS>>>(
        d_work, d_x_grad, layer_with_outputs(s));
    return CUDA_CHECK(cudaGetLastError());
}

static cudaError_t backward_filter_chunk(const struct conv_shape *s,
                                         const float *d_x,
                                         const float *d_y_grad, float *d_w_grad,
                                         float *d_work, bool more)
{
    const int taps = s->c * s->r * s->s, plane = output_plane_size(s);
    const struct gemm_strides g = {s->k, taps, plane, plane, 1,
                              (long long)s->k * plane, 1, plane,
                              (long long)im2col_floats(s)};
    float *d_partials = d_work + s->n * im2col_floats(s);
    cudaError_t err = launch_im2col(s, d_x, d_work);

    if (!err) err = launch_batched_gemm(d_y_grad, d_work, d_partials, s->n, &g);
    if (err) return err;
    return launch_reduce_partials(d_partials, d_w_grad, s->n,
                                  (int)filter_floats(s), more);
}

/* The shape of the chunk that starts at image `first`. */
static struct conv_shape chunk_at(const struct conv_shape *shape, int first)
{
    struct conv_shape part = *shape;
    const int max_images = images_per_chunk(shape);

    part.n = shape->n - first < max_images ? shape->n - first : max_images;
    return part;
}

static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *d_work)
{
    const size_t in = (size_t)shape->c * shape->h * shape->w;
    const size_t out = (size_t)shape->k * output_plane_size(shape);
    cudaError_t err = cudaSuccess;

    for (int i = 0; !err && i < shape->n; i += images_per_chunk(shape)) {
        const struct conv_shape part = chunk_at(shape, i);
        err = forward_chunk(&part, d_x + i * in, d_w, d_y + i * out, d_work);
    }
    return err;
}

static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *d_work)
{
    const size_t in = (size_t)shape->c * shape->h * shape->w;
    const size_t out = (size_t)shape->k * output_plane_size(shape);
    cudaError_t err = cudaSuccess;

    for (int i = 0; !err && i < shape->n; i += images_per_chunk(shape)) {
        const struct conv_shape part = chunk_at(shape, i);
        err = backward_data_chunk(&part, d_w, d_y_grad + i * out,
                                  d_x_grad + i * in, d_work);
    }
    return err;
}

static cudaError_t backward_filter(const struct conv_shape *shape,
                                   const float *d_x, const float *d_y_grad,
                                   float *d_w_grad, float *d_work)
{
    const size_t in = (size_t)shape->c * shape->h * shape->w;
    const size_t out = (size_t)shape->k * output_plane_size(shape);
    cudaError_t err = cudaSuccess;

    for (int i = 0; !err && i < shape->n; i += images_per_chunk(shape)) {
        const struct conv_shape part = chunk_at(shape, i);
        err = backward_filter_chunk(&part, d_x + i * in, d_y_grad + i * out,
                                    d_w_grad, d_work, i > 0);
    }
    return err;
}
