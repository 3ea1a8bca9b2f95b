/* SPDX-License-Identifier: MIT */
/* Tiled matrix multiplication.  A tile is one part of the call and always
 * contains the same elements: results do not depend on the number of threads.
 */
#include "matmul.h"

#include <math.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "openblas.h"

enum { TILE = 256 };

/** A tile of D. */
struct tile {
    const struct blas_matmul *p;
    int64_t batch, row, column, rows, columns;
    double alpha, beta;
    bool in_double; /* computed in double precision */
};

/** An operand for OpenBLAS. */
struct panel {
    const void *ptr;
    void *scratch; /* owned, or NULL */
    int64_t ld;
};

/* int8 is multiplied in double, which is exact. */
static bool is_double(const struct blas_matmul *p)
{
    return p->a.type == CUDA_R_64F || p->a.type == CUDA_R_8I;
}

/* Address of a matrix of the batch. */
static char *matrix_at(const struct blas_matrix *m, int64_t batch)
{
    const char *first = m->each ? m->each[batch] : m->ptr;
    const int64_t offset = m->each ? 0 : batch * m->stride;

    return (char *)first + offset * (int64_t)blas_bytes(m->type);
}

/* Address of an element of a matrix as stored. */
static char *element_at(const struct blas_matrix *m, int64_t batch,
                        int64_t row, int64_t column)
{
    return matrix_at(m, batch)
           + (row + column * m->ld) * (int64_t)blas_bytes(m->type);
}

/* Round each element as the compute type requires. */
static void round_elements(float *x, size_t n, enum blas_rounding rounding)
{
    if (rounding == BLAS_HALF)
        for (size_t i = 0; i < n; i++)
            x[i] = blas_round_to_half(x[i]);
    else if (rounding == BLAS_BFLOAT16)
        for (size_t i = 0; i < n; i++)
            x[i] = blas_round_to_bfloat16(x[i]);
    else if (rounding == BLAS_TF32)
        for (size_t i = 0; i < n; i++)
            x[i] = blas_round_to_tf32(x[i]);
}

/* Convert a column to float or double. */
static void convert(const struct tile *t, const struct blas_matrix *m,
                    const char *from, void *to, int64_t n)
{
    if (!t->in_double) {
        blas_load_floats(m->type, from, to, (size_t)n);
        round_elements(to, (size_t)n, t->p->rounding);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        ((double *)to)[i] = blas_load(m->type, from, i);
}

/* Can OpenBLAS read the matrix in place? */
static bool is_readable_in_place(const struct tile *t,
                                 const struct blas_matrix *m)
{
    return m->type == (t->in_double ? CUDA_R_64F : CUDA_R_32F)
           && t->p->rounding == BLAS_EXACT;
}

/* Load a panel of an operand as stored, from one element on: in place if
 * possible, else converted. */
static struct panel load_panel(const struct tile *t,
                               const struct blas_matrix *m, const char *from,
                               int64_t rows, int64_t columns)
{
    const size_t bytes = t->in_double ? sizeof(double) : sizeof(float);
    struct panel panel = {from, NULL, m->ld};

    if (is_readable_in_place(t, m))
        return panel;
    panel.scratch = malloc((size_t)(rows * columns) * bytes + 1);
    if (!panel.scratch)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY, "no memory for a panel");
    panel.ptr = panel.scratch;
    panel.ld = blas_max(rows, 1);
    for (int64_t j = 0; j < columns; j++)
        convert(t, m, from + j * m->ld * (int64_t)blas_bytes(m->type),
                (char *)panel.scratch + (size_t)(j * rows) * bytes, rows);
    return panel;
}

/* Load the rows of op(A) for the tile: columns of A if it is stored
 * transposed. */
static struct panel load_panel_a(const struct tile *t)
{
    const struct blas_matrix *a = &t->p->a;

    if (a->transposed)
        return load_panel(t, a, element_at(a, t->batch, 0, t->row), t->p->k,
                          t->rows);
    return load_panel(t, a, element_at(a, t->batch, t->row, 0), t->rows,
                      t->p->k);
}

/* Load the columns of op(B), likewise. */
static struct panel load_panel_b(const struct tile *t)
{
    const struct blas_matrix *b = &t->p->b;

    if (b->transposed)
        return load_panel(t, b, element_at(b, t->batch, t->column, 0),
                          t->columns, t->p->k);
    return load_panel(t, b, element_at(b, t->batch, 0, t->column), t->p->k,
                      t->columns);
}

/* c = alpha a b + beta c in float or double. */
static void multiply_tile(const struct tile *t, double alpha, double beta,
                          struct panel c)
{
    const struct blas_matmul *p = t->p;
    const int ta = p->a.transposed ? CBLAS_TRANS : CBLAS_NO_TRANS;
    const int tb = p->b.transposed ? CBLAS_TRANS : CBLAS_NO_TRANS;
    const int64_t k = alpha != 0 ? p->k : 0;
    struct panel a = {.ld = INT_MAX}, b = {.ld = INT_MAX};

    if (k > 0) {
        a = load_panel_a(t);
        b = load_panel_b(t);
    }
    if (t->in_double)
        openblas.dgemm(CBLAS_COL_MAJOR, ta, tb, (int)t->rows, (int)t->columns,
                       (int)k, alpha, a.ptr, (int)a.ld, b.ptr, (int)b.ld,
                       beta, (double *)c.ptr, (int)c.ld);
    else
        openblas.sgemm(CBLAS_COL_MAJOR, ta, tb, (int)t->rows, (int)t->columns,
                       (int)k, (float)alpha, a.ptr, (int)a.ld, b.ptr,
                       (int)b.ld, (float)beta, (float *)c.ptr, (int)c.ld);
    free(a.scratch);
    free(b.scratch);
}

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
static double scale_and_shift(const struct tile *t, double sum, double old,
                              double bias)
{
    double x;

    if (t->p->accumulate_half) {
        x = blas_round_to_half((float)t->alpha
                               * blas_round_to_half((float)sum));
        x = t->beta != 0 ? blas_round_to_half((float)(x + t->beta * old)) : x;
    } else if (t->in_double && t->p->d.type != CUDA_R_32F) {
        x = t->alpha * sum;
        x = t->beta != 0 ? x + t->beta * old : x;
    } else {
        x = (float)t->alpha * (float)sum;
        x = t->beta != 0 ? (float)(x + t->beta * old) : x;
    }
    return x + bias;
}

/* Bias of an element of the tile. */
static double load_bias(const struct tile *t, int64_t row, int64_t column)
{
    const struct blas_matmul *p = t->p;
    const int64_t at = p->bias_by_column ? t->column + column : t->row + row;

    return p->bias ? blas_load(p->bias_type, p->bias,
                               at + t->batch * p->bias_stride)
                   : 0;
}

/* Apply the epilogue to a column and store it in D. */
static void store_column(const struct tile *t, const void *sums, int64_t column)
{
    const struct blas_matmul *p = t->p;
    const cudaDataType type = t->in_double ? CUDA_R_64F : CUDA_R_32F;
    const char *c = t->beta != 0 ? element_at(&p->c, t->batch, t->row,
                                              t->column + column)
                                 : NULL;
    char *d = element_at(&p->d, t->batch, t->row, t->column + column);
    char *aux = p->aux.ptr ? element_at(&p->aux, t->batch, t->row,
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
static void multiply_with_epilogue(const struct tile *t)
{
    double *sums = calloc((size_t)(t->rows * t->columns), sizeof *sums);

    if (!sums)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY, "no memory for a tile");
    multiply_tile(t, t->alpha != 0, 0, (struct panel){sums, NULL, t->rows});
    for (int64_t j = 0; j < t->columns; j++)
        store_column(t, sums, j);
    free(sums);
}

/* Can OpenBLAS write the result in place? */
static bool is_writable_in_place(const struct tile *t)
{
    const struct blas_matmul *p = t->p;

    return p->d.type == (t->in_double ? CUDA_R_64F : CUDA_R_32F)
           && p->d.ptr == p->c.ptr && p->d.each == p->c.each && !p->bias
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
    const struct tile t = {.p = p,
                           .batch = part / each,
                           .row = row,
                           .column = column,
                           .rows = min_size(TILE, p->m - row),
                           .columns = min_size(TILE, p->n - column),
                           .alpha = blas_scalar_value(&p->alpha),
                           .beta = blas_scalar_value(&p->beta),
                           .in_double = is_double(p)};

    if (is_writable_in_place(&t))
        multiply_tile(&t, t.alpha, t.beta,
                      (struct panel){element_at(&p->d, t.batch, row, column),
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
            .name = name, .ptr = matrix_at(m, i), .type = m->type,
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
    if (p->k > 0 && blas_scalar_value(&p->alpha) != 0) {
        declare_matrices("A", &p->a, p, p->m, p->k, SOFTGPU_READS);
        declare_matrices("B", &p->b, p, p->k, p->n, SOFTGPU_READS);
    }
    if (blas_scalar_value(&p->beta) != 0)
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
