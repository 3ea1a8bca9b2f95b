/* SPDX-License-Identifier: MIT */
/* Tiled matrix multiplication.  A tile is one part of the call and always
 * contains the same elements: results do not depend on the number of threads.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tile.h"

enum { TILE = 256 };

/* GELU by tanh, and its derivative. */
static double gelu(double x, bool derivative)
{
    const double scale = 0.79788456080286535588; /* sqrt(2 / pi) */
    const double t = tanh(scale * (x + 0.044715 * x * x * x));

    if (!derivative)
        return 0.5 * x * (1 + t);
    return 0.5 * (1 + t)
           + 0.5 * x * (1 - t * t) * scale * (1 + 3 * 0.044715 * x * x);
}

/* Apply the activation; aux is the place of `at` in the auxiliary matrix. */
static double activate(const struct blas_matmul *p, double x, void *aux,
                       int64_t at)
{
    switch (p->activation) {
    case BLAS_RELU:
        return !(x > 0) && x == x ? 0 : x;
    case BLAS_GELU:
        if (aux)
            blas_store(p->aux.type, aux, at, x);
        return gelu(x, false);
    case BLAS_DGELU:
        return x * gelu(blas_load(p->aux.type, aux, at), true);
    default:
        return x;
    }
}

/* Apply alpha, beta and bias in the computation's type. */
static double scale_and_shift(const struct blas_tile *t, double sum, double old,
                              double bias)
{
    const double alpha = creal(t->alpha), beta = creal(t->beta);
    double x;

    if (t->p->accumulate_half) {
        x = blas_round_to_half((float)alpha
                               * blas_round_to_half((float)sum));
        x = beta != 0 ? blas_round_to_half((float)(x + beta * old)) : x;
    } else if (t->in_double && t->p->d.type != CUDA_R_32F) {
        x = alpha * sum;
        x = beta != 0 ? x + beta * old : x;
    } else {
        x = (float)alpha * (float)sum;
        x = beta != 0 ? (float)(x + beta * old) : x;
    }
    return x + bias;
}

/* Bias of an element of the tile. */
static double load_bias(const struct blas_tile *t, int64_t row, int64_t column)
{
    const struct blas_matmul *p = t->p;
    const int64_t at = p->bias_by_column ? t->column + column : t->row + row;

    return p->bias ? blas_load(p->bias_type, p->bias,
                               at + t->batch * p->bias_stride)
                   : 0;
}

/* Apply the epilogue to a column and store it in D. */
static void store_column(const struct blas_tile *t, const void *sums,
                         int64_t column)
{
    const struct blas_matmul *p = t->p;
    const cudaDataType type = t->in_double ? CUDA_R_64F : CUDA_R_32F;
    const char *c = t->beta != 0 ? blas_element_at(&p->c, t->batch, t->row,
                                                   t->column + column)
                                 : NULL;
    char *d = blas_element_at(&p->d, t->batch, t->row, t->column + column);
    char *aux = p->aux.ptr ? blas_element_at(&p->aux, t->batch, t->row,
                                             t->column + column)
                           : NULL;

    for (int64_t i = 0; i < t->rows; i++) {
        const double x =
            scale_and_shift(t, blas_load(type, sums, column * t->rows + i),
                            c ? blas_load(p->c.type, c, i) : 0,
                            load_bias(t, i, column));
        blas_store(p->d.type, d, i, activate(p, x, aux, i));
    }
}

/* Compute a tile in a buffer, when D has another type or address than C, or
 * there is an epilogue. */
static void multiply_with_epilogue(const struct blas_tile *t)
{
    double *sums = calloc((size_t)(t->rows * t->columns), sizeof *sums);

    if (!sums)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY, "no memory for a tile");
    blas_multiply_tile(t, t->alpha != 0, 0,
                       (struct blas_panel){sums, NULL, t->rows});
    for (int64_t j = 0; j < t->columns; j++)
        store_column(t, sums, j);
    free(sums);
}

/* Can OpenBLAS write the result in place? */
static bool is_writable_in_place(const struct blas_tile *t)
{
    const struct blas_matmul *p = t->p;

    return p->d.type == blas_tile_type(t) && p->d.ptr == p->c.ptr
           && p->d.each == p->c.each && !p->bias
           && p->activation == BLAS_NONE;
}

/* Number of tiles that cover n rows or columns. */
static int64_t tile_count(int64_t n)
{
    return (n + TILE - 1) / TILE;
}

/* The smaller one. */
static int64_t min_size(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Compute a tile.  Parts enumerate tiles column by column, matrix after
 * matrix. */
static void run(const void *self, unsigned part)
{
    const struct blas_matmul *p = self;
    const int64_t down = tile_count(p->m), each = down * tile_count(p->n);
    const int64_t row = part % each % down * TILE;
    const int64_t column = part % each / down * TILE;
    const struct blas_tile t = {.p = p,
                           .batch = part / each,
                           .row = row,
                           .column = column,
                           .rows = min_size(TILE, p->m - row),
                           .columns = min_size(TILE, p->n - column),
                           .alpha = blas_scalar_complex(&p->alpha),
                           .beta = blas_scalar_complex(&p->beta),
                           .in_double = blas_is_in_double(p)};

    if (is_writable_in_place(&t))
        blas_multiply_tile(&t, t.alpha, t.beta,
                           (struct blas_panel){
                               blas_element_at(&p->d, t.batch, row, column),
                               NULL, p->d.ld});
    else
        multiply_with_epilogue(&t);
}

/* --- arrays -------------------------------------------------------------- */

/* Declare an access to the array of pointers, which is in device memory. */
static void declare_pointers(const char *name, const struct blas_matrix *m,
                             int64_t n)
{
    const struct softgpu_array array = {
        .name = name, .ptr = m->each, .row = (size_t)n * sizeof *m->each,
        .rows = 1, .use = SOFTGPU_READS};

    if (m->each)
        softgpu_library_array(&array);
}

/* Declare accesses to the matrices; with stride 0 there is only one. */
static void declare_matrices(const char *name, const struct blas_matrix *m,
                             const struct blas_matmul *p, int64_t rows,
                             int64_t columns, enum softgpu_use use)
{
    declare_pointers(name, m, p->batch);
    for (int64_t i = 0; i < p->batch; i++) {
        const struct blas_array area = {
            .name = name, .ptr = blas_matrix_at(m, i), .type = m->type,
            .rows = m->transposed ? columns : rows,
            .columns = m->transposed ? rows : columns, .ld = m->ld,
            .use = use};

        blas_array(&area);
        if (!m->each && !m->stride)
            return;
    }
}

/* Declare accesses; operands with a factor of 0 are not read. */
static void arrays(const void *self)
{
    const struct blas_matmul *p = self;

    blas_scalar_array("alpha", &p->alpha);
    blas_scalar_array("beta", &p->beta);
    if (p->k > 0 && blas_scalar_complex(&p->alpha) != 0) {
        declare_matrices("A", &p->a, p, p->m, p->k, SOFTGPU_READS);
        declare_matrices("B", &p->b, p, p->k, p->n, SOFTGPU_READS);
    }
    if (blas_scalar_complex(&p->beta) != 0)
        declare_matrices("C", &p->c, p, p->m, p->n, SOFTGPU_READS);
    for (int64_t i = 0; p->bias && i < p->batch; i++)
        blas_array(&(struct blas_array){
            "bias",
            (const char *)p->bias
                + i * p->bias_stride * (int64_t)blas_bytes(p->bias_type),
            p->bias_type, p->bias_by_column ? p->n : p->m, 1, 0,
            SOFTGPU_READS});
    if (p->aux.ptr)
        declare_matrices("the auxiliary matrix", &p->aux, p, p->m, p->n,
                         p->activation == BLAS_GELU ? SOFTGPU_WRITES
                                                    : SOFTGPU_READS);
    declare_matrices(p->d.ptr == p->c.ptr && p->d.each == p->c.each ? "C" : "D",
                     &p->d, p, p->m, p->n, SOFTGPU_WRITES);
}

/* Traffic if each matrix is transferred once. */
static double memory_traffic(const struct blas_matmul *p)
{
    const double a = (double)(p->m * p->k) * (double)blas_bytes(p->a.type);
    const double b = (double)(p->k * p->n) * (double)blas_bytes(p->b.type);
    const double d = (double)(p->m * p->n) * (double)blas_bytes(p->d.type);

    return (double)p->batch * (a + b + d);
}

cublasStatus_t blas_matmul_submit(cudaStream_t stream, struct blas_matmul *p)
{
    const int64_t max_size =
        blas_max(blas_max(p->a.ld, p->b.ld), blas_max(p->d.ld, p->k));
    const double parts =
        (double)tile_count(p->m) * (double)tile_count(p->n) * (double)p->batch;

    if (p->m == 0 || p->n == 0 || p->batch == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_REQUIRE_SUPPORTED(max_size <= INT_MAX && parts <= INT_MAX,
                           "m, n, k or a leading dimension is too large");
    p->call.run = run;
    p->call.arrays = arrays;
    p->call.parts = (unsigned)parts;
    p->call.site = softgpu_call_site;
    p->call.operations =
        2.0 * (double)p->m * (double)p->n * (double)p->k * (double)p->batch;
    p->call.bytes = memory_traffic(p);
    return blas_submit(stream, p, sizeof *p);
}
