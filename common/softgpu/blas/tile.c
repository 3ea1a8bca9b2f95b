/* SPDX-License-Identifier: MIT */
/* Panels of the operands, converted if need be, and the product of a tile. */
#include "tile.h"

#include <limits.h>
#include <stdlib.h>

#include "openblas.h"

/* int8 is multiplied in double, which is exact. */
bool blas_is_in_double(const struct blas_matmul *p)
{
    return blas_real_type(p->a.type) == CUDA_R_64F || p->a.type == CUDA_R_8I;
}

cudaDataType blas_tile_type(const struct blas_tile *t)
{
    if (blas_is_complex(t->p->a.type))
        return t->p->a.type;
    return t->in_double ? CUDA_R_64F : CUDA_R_32F;
}

char *blas_matrix_at(const struct blas_matrix *m, int64_t batch)
{
    const char *first = m->each ? m->each[batch] : m->ptr;
    const int64_t offset = m->each ? 0 : batch * m->stride;

    return (char *)first + offset * (int64_t)blas_bytes(m->type);
}

char *blas_element_at(const struct blas_matrix *m, int64_t batch, int64_t row,
                      int64_t column)
{
    return blas_matrix_at(m, batch)
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

/* Convert a column to float or double; n counts the parts of complex numbers.
 */
static void convert(const struct blas_tile *t, const struct blas_matrix *m,
                    const char *from, void *to, int64_t n)
{
    const cudaDataType type = blas_real_type(m->type);

    if (!t->in_double) {
        blas_load_floats(type, from, to, (size_t)n);
        round_elements(to, (size_t)n, t->p->rounding);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        ((double *)to)[i] = blas_load(type, from, i);
}

/* Can OpenBLAS read the matrix in place? */
static bool is_readable_in_place(const struct blas_tile *t,
                                 const struct blas_matrix *m)
{
    return m->type == blas_tile_type(t) && t->p->rounding == BLAS_EXACT;
}

/* Load a panel of an operand as stored, from one element on: in place if
 * possible, else converted. */
static struct blas_panel load_panel(const struct blas_tile *t,
                                    const struct blas_matrix *m,
                                    const char *from, int64_t rows,
                                    int64_t columns)
{
    const int64_t parts = blas_is_complex(m->type) ? 2 : 1;
    const size_t bytes = blas_bytes(blas_tile_type(t));
    struct blas_panel panel = {from, NULL, m->ld};

    if (is_readable_in_place(t, m))
        return panel;
    panel.scratch = malloc((size_t)(rows * columns) * bytes + 1);
    if (!panel.scratch)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY, "no memory for a panel");
    panel.ptr = panel.scratch;
    panel.ld = blas_max(rows, 1);
    for (int64_t j = 0; j < columns; j++)
        convert(t, m, from + j * m->ld * (int64_t)blas_bytes(m->type),
                (char *)panel.scratch + (size_t)(j * rows) * bytes,
                rows * parts);
    return panel;
}

/* Load the rows of op(A) for the tile: columns of A if it is stored
 * transposed. */
static struct blas_panel load_panel_a(const struct blas_tile *t)
{
    const struct blas_matrix *a = &t->p->a;

    if (a->transposed)
        return load_panel(t, a, blas_element_at(a, t->batch, 0, t->row),
                          t->p->k, t->rows);
    return load_panel(t, a, blas_element_at(a, t->batch, t->row, 0), t->rows,
                      t->p->k);
}

/* Load the columns of op(B), likewise. */
static struct blas_panel load_panel_b(const struct blas_tile *t)
{
    const struct blas_matrix *b = &t->p->b;

    if (b->transposed)
        return load_panel(t, b, blas_element_at(b, t->batch, t->column, 0),
                          t->columns, t->p->k);
    return load_panel(t, b, blas_element_at(b, t->batch, 0, t->column), t->p->k,
                      t->columns);
}

/* CBLAS's name of op. */
static int cblas_operation(const struct blas_matrix *m)
{
    return m->conjugated   ? CBLAS_CONJ_TRANS
           : m->transposed ? CBLAS_TRANS
                           : CBLAS_NO_TRANS;
}

/* The product of two panels of k columns and rows; a case for each type. */
static void multiply_panels(const struct blas_tile *t, double complex alpha,
                            double complex beta, const struct blas_panel *x,
                            int64_t k)
{
    const struct blas_panel a = x[0], b = x[1], c = x[2];
    const float complex alpha_float = (float complex)alpha;
    const float complex beta_float = (float complex)beta;
    void *to = (void *)(uintptr_t)c.ptr;

#define SHAPE                                                         \
    CBLAS_COL_MAJOR, cblas_operation(&t->p->a),                       \
        cblas_operation(&t->p->b), (int)t->rows, (int)t->columns, (int)k
    switch ((int)blas_tile_type(t)) {
    case CUDA_R_64F:
        openblas.dgemm(SHAPE, creal(alpha), a.ptr, (int)a.ld, b.ptr, (int)b.ld,
                       creal(beta), to, (int)c.ld);
        break;
    case CUDA_C_32F:
        openblas.cgemm(SHAPE, &alpha_float, a.ptr, (int)a.ld, b.ptr,
                       (int)b.ld, &beta_float, to, (int)c.ld);
        break;
    case CUDA_C_64F:
        openblas.zgemm(SHAPE, &alpha, a.ptr, (int)a.ld, b.ptr, (int)b.ld,
                       &beta, to, (int)c.ld);
        break;
    default:
        openblas.sgemm(SHAPE, crealf(alpha_float), a.ptr, (int)a.ld, b.ptr,
                       (int)b.ld, crealf(beta_float), to, (int)c.ld);
    }
#undef SHAPE
}

void blas_multiply_tile(const struct blas_tile *t, double complex alpha,
                        double complex beta, struct blas_panel c)
{
    const int64_t k = alpha != 0 ? t->p->k : 0;
    struct blas_panel x[3] = {{.ld = INT_MAX}, {.ld = INT_MAX}, c};

    if (k > 0) {
        x[0] = load_panel_a(t);
        x[1] = load_panel_b(t);
    }
    multiply_panels(t, alpha, beta, x, k);
    free(x[0].scratch);
    free(x[1].scratch);
}
