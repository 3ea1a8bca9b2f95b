/* SPDX-License-Identifier: MIT */
/* The product, tile by tile.  A tile is one part of the call and always the
 * same elements, so results do not depend on how many threads there are. */
#include "product.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "openblas.h"

enum { TILE = 256 };

/** A tile of D, and what its product needs. */
struct tile {
    const struct blas_product *p;
    int64_t batch, row, column, rows, columns;
    double alpha, beta;
    bool wide; /* computed in double */
};

/** Elements as OpenBLAS gets them. */
struct panel {
    const void *ptr;
    void *scratch; /* owned, or NULL */
    int64_t ld;
};

/* int8 is multiplied in double, which is exact. */
static bool is_wide(const struct blas_product *p)
{
    return p->a.type == CUDA_R_64F || p->a.type == CUDA_R_8I;
}

/* One of the matrices of a batch. */
static char *matrix_at(const struct blas_matrix *m, int64_t batch)
{
    const char *first = m->each ? m->each[batch] : m->ptr;
    const int64_t skip = m->each ? 0 : batch * m->stride;

    return (char *)first + skip * (int64_t)blas_bytes(m->type);
}

/* An element of a matrix as it is stored. */
static char *element_at(const struct blas_matrix *m, int64_t batch,
                        int64_t row, int64_t column)
{
    return matrix_at(m, batch)
           + (row + column * m->ld) * (int64_t)blas_bytes(m->type);
}

/* Each element to what the compute type lets through. */
static void round_all(float *x, size_t n, enum blas_rounding rounding)
{
    if (rounding == BLAS_HALF)
        for (size_t i = 0; i < n; i++)
            x[i] = blas_as_half(x[i]);
    else if (rounding == BLAS_BFLOAT)
        for (size_t i = 0; i < n; i++)
            x[i] = blas_as_bfloat(x[i]);
    else if (rounding == BLAS_TF32)
        for (size_t i = 0; i < n; i++)
            x[i] = blas_as_tf32(x[i]);
}

/* A column as floats, or as doubles. */
static void convert(const struct tile *t, const struct blas_matrix *m,
                    const char *from, void *to, int64_t n)
{
    if (!t->wide) {
        blas_to_floats(m->type, from, to, (size_t)n);
        round_all(to, (size_t)n, t->p->rounding);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        ((double *)to)[i] = blas_get(m->type, from, i);
}

/* Can OpenBLAS read the matrix where it is? */
static bool is_plain(const struct tile *t, const struct blas_matrix *m)
{
    return m->type == (t->wide ? CUDA_R_64F : CUDA_R_32F)
           && t->p->rounding == BLAS_EXACT;
}

/* Rows and columns of a factor as it is stored, from one element on; as they
 * are, if they are what is multiplied, else converted. */
static struct panel take(const struct tile *t, const struct blas_matrix *m,
                         const char *from, int64_t rows, int64_t columns)
{
    const size_t bytes = t->wide ? sizeof(double) : sizeof(float);
    struct panel panel = {from, NULL, m->ld};

    if (is_plain(t, m))
        return panel;
    panel.scratch = malloc((size_t)(rows * columns) * bytes + 1);
    if (!panel.scratch)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY, "no memory for a panel");
    panel.ptr = panel.scratch;
    panel.ld = blas_most(rows, 1);
    for (int64_t j = 0; j < columns; j++)
        convert(t, m, from + j * m->ld * (int64_t)blas_bytes(m->type),
                (char *)panel.scratch + (size_t)(j * rows) * bytes, rows);
    return panel;
}

/* Rows of op(A) that the tile needs: if A is stored transposed, columns of
 * it. */
static struct panel take_a(const struct tile *t)
{
    const struct blas_matrix *a = &t->p->a;

    if (a->transposed)
        return take(t, a, element_at(a, t->batch, 0, t->row), t->p->k,
                    t->rows);
    return take(t, a, element_at(a, t->batch, t->row, 0), t->rows, t->p->k);
}

/* Columns of op(B), likewise. */
static struct panel take_b(const struct tile *t)
{
    const struct blas_matrix *b = &t->p->b;

    if (b->transposed)
        return take(t, b, element_at(b, t->batch, t->column, 0), t->columns,
                    t->p->k);
    return take(t, b, element_at(b, t->batch, 0, t->column), t->p->k,
                t->columns);
}

/* c = alpha a b + beta c in float or double. */
static void multiply(const struct tile *t, double alpha, double beta,
                     struct panel c)
{
    const struct blas_product *p = t->p;
    const int ta = p->a.transposed ? BLAS_TRANSPOSED : BLAS_PLAIN;
    const int tb = p->b.transposed ? BLAS_TRANSPOSED : BLAS_PLAIN;
    const int64_t k = alpha != 0 ? p->k : 0;
    struct panel a = {.ld = INT_MAX}, b = {.ld = INT_MAX};

    if (k > 0) {
        a = take_a(t);
        b = take_b(t);
    }
    if (t->wide)
        openblas.dgemm(BLAS_COLUMNS, ta, tb, (int)t->rows, (int)t->columns,
                       (int)k, alpha, a.ptr, (int)a.ld, b.ptr, (int)b.ld,
                       beta, (double *)c.ptr, (int)c.ld);
    else
        openblas.sgemm(BLAS_COLUMNS, ta, tb, (int)t->rows, (int)t->columns,
                       (int)k, (float)alpha, a.ptr, (int)a.ld, b.ptr,
                       (int)b.ld, (float)beta, (float *)c.ptr, (int)c.ld);
    free(a.scratch);
    free(b.scratch);
}

/* What follows the sum, in the type that it was computed in. */
static double finish(const struct tile *t, double sum, double old, double bias)
{
    double x;

    if (t->p->half_sums) {
        x = blas_as_half((float)t->alpha * blas_as_half((float)sum));
        x = t->beta != 0 ? blas_as_half((float)(x + t->beta * old)) : x;
    } else if (t->wide && t->p->d.type != CUDA_R_32F) {
        x = t->alpha * sum;
        x = t->beta != 0 ? x + t->beta * old : x;
    } else {
        x = (float)t->alpha * (float)sum;
        x = t->beta != 0 ? (float)(x + t->beta * old) : x;
    }
    x += bias;
    return t->p->relu && !(x > 0) && x == x ? 0 : x;
}

/* Number of the bias of an element of the tile. */
static double bias_of(const struct tile *t, int64_t row, int64_t column)
{
    const struct blas_product *p = t->p;
    const int64_t at = p->bias_by_column ? t->column + column : t->row + row;

    return p->bias ? blas_get(p->bias_type, p->bias,
                              at + t->batch * p->bias_stride)
                   : 0;
}

/* From the sums of a column to D. */
static void put_column(const struct tile *t, const void *sums, int64_t column)
{
    const struct blas_product *p = t->p;
    const cudaDataType type = t->wide ? CUDA_R_64F : CUDA_R_32F;
    const char *c = t->beta != 0 ? element_at(&p->c, t->batch, t->row,
                                              t->column + column)
                                 : NULL;
    char *d = element_at(&p->d, t->batch, t->row, t->column + column);

    for (int64_t i = 0; i < t->rows; i++)
        blas_set(p->d.type, d, i,
                 finish(t, blas_get(type, sums, column * t->rows + i),
                        c ? blas_get(p->c.type, c, i) : 0,
                        bias_of(t, i, column)));
}

/* D has another type, another place than C, or something follows. */
static void by_sums(const struct tile *t)
{
    double *sums = calloc((size_t)(t->rows * t->columns), sizeof *sums);

    if (!sums)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY, "no memory for a tile");
    multiply(t, t->alpha != 0, 0, (struct panel){sums, NULL, t->rows});
    for (int64_t j = 0; j < t->columns; j++)
        put_column(t, sums, j);
    free(sums);
}

/* Can OpenBLAS write the result itself? */
static bool is_direct(const struct tile *t)
{
    const struct blas_product *p = t->p;

    return p->d.type == (t->wide ? CUDA_R_64F : CUDA_R_32F)
           && p->d.ptr == p->c.ptr && p->d.each == p->c.each && !p->bias
           && !p->relu;
}

/* How many cover n rows or columns. */
static int64_t tiles(int64_t n)
{
    return (n + TILE - 1) / TILE;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Parts count tiles down the columns of the first matrix, then of the next. */
static void run(const void *self, unsigned part)
{
    const struct blas_product *p = self;
    const int64_t down = tiles(p->m), each = down * tiles(p->n);
    const int64_t row = part % each % down * TILE;
    const int64_t column = part % each / down * TILE;
    const struct tile t = {
        .p = p, .batch = part / each, .row = row, .column = column,
        .rows = least(TILE, p->m - row), .columns = least(TILE, p->n - column),
        .alpha = blas_value(&p->alpha), .beta = blas_value(&p->beta),
        .wide = is_wide(p)};

    if (is_direct(&t))
        multiply(&t, t.alpha, t.beta,
                 (struct panel){element_at(&p->d, t.batch, row, column), NULL,
                                p->d.ld});
    else
        by_sums(&t);
}

/* --- arrays --------------------------------------------------------------- */

/* The array of pointers is in device memory, too. */
static void pointers(const char *name, const struct blas_matrix *m, int64_t n)
{
    const struct softgpu_array array = {
        .name = name, .ptr = m->each, .row = (size_t)n * sizeof *m->each,
        .rows = 1, .use = SOFTGPU_READS};

    if (m->each)
        softgpu_library_array(&array);
}

/* A stride of 0 is one matrix for all. */
static void matrices(const char *name, const struct blas_matrix *m,
                     const struct blas_product *p, int64_t rows,
                     int64_t columns, enum softgpu_use use)
{
    pointers(name, m, p->batch);
    for (int64_t i = 0; i < p->batch; i++) {
        const struct blas_area area = {
            .name = name, .ptr = matrix_at(m, i), .type = m->type,
            .rows = m->transposed ? columns : rows,
            .columns = m->transposed ? rows : columns, .ld = m->ld,
            .use = use};

        blas_area(&area);
        if (!m->each && !m->stride)
            return;
    }
}

/* What a factor of 0 leaves out is not read. */
static void arrays(const void *self)
{
    const struct blas_product *p = self;

    blas_scalar_array("alpha", &p->alpha);
    blas_scalar_array("beta", &p->beta);
    if (p->k > 0 && blas_value(&p->alpha) != 0) {
        matrices("A", &p->a, p, p->m, p->k, SOFTGPU_READS);
        matrices("B", &p->b, p, p->k, p->n, SOFTGPU_READS);
    }
    if (blas_value(&p->beta) != 0)
        matrices("C", &p->c, p, p->m, p->n, SOFTGPU_READS);
    for (int64_t i = 0; p->bias && i < p->batch; i++)
        blas_area(&(struct blas_area){
            "bias",
            (const char *)p->bias
                + i * p->bias_stride * (int64_t)blas_bytes(p->bias_type),
            p->bias_type, p->bias_by_column ? p->n : p->m, 1, 0,
            SOFTGPU_READS});
    matrices(p->d.ptr == p->c.ptr && p->d.each == p->c.each ? "C" : "D",
             &p->d, p, p->m, p->n, SOFTGPU_WRITES);
}

/* Each matrix once through memory. */
static double bytes_of(const struct blas_product *p)
{
    const double a = (double)(p->m * p->k) * (double)blas_bytes(p->a.type);
    const double b = (double)(p->k * p->n) * (double)blas_bytes(p->b.type);
    const double d = (double)(p->m * p->n) * (double)blas_bytes(p->d.type);

    return (double)p->batch * (a + b + d);
}

cublasStatus_t blas_product_submit(cudaStream_t stream, struct blas_product *p)
{
    const int64_t most = blas_most(blas_most(p->a.ld, p->b.ld),
                                   blas_most(p->d.ld, p->k));
    const double parts =
        (double)tiles(p->m) * (double)tiles(p->n) * (double)p->batch;

    if (p->m == 0 || p->n == 0 || p->batch == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_NEED(most <= INT_MAX && parts <= INT_MAX,
              CUBLAS_STATUS_NOT_SUPPORTED);
    p->call.run = run;
    p->call.arrays = arrays;
    p->call.parts = (unsigned)parts;
    p->call.site = softgpu_call_site;
    p->call.operations =
        2.0 * (double)p->m * (double)p->n * (double)p->k * (double)p->batch;
    p->call.bytes = bytes_of(p);
    return blas_submit(stream, p, sizeof *p);
}
