/* SPDX-License-Identifier: MIT */
/* The runs of blas_fortran(): OpenBLAS's arguments, and what it does not do. */
#include <stdlib.h>

#include "fortran.h"

enum { MOST = 13 /* arguments of a function */ };


/* --- the arguments of the function --------------------------------------- */

/** Arguments under construction: addresses, and the numbers and letters that
 *  some point to. */
struct addresses {
    void *at[MOST];
    size_t count;
    int numbers[MOST];
    char letters[MOST];
};

static void add_letter(struct addresses *to, char letter)
{
    to->letters[to->count] = letter;
    to->at[to->count] = &to->letters[to->count];
    to->count++;
}

static void add_number(struct addresses *to, int64_t number)
{
    to->numbers[to->count] = (int)number;
    to->at[to->count] = &to->numbers[to->count];
    to->count++;
}

static void add_array(struct addresses *to, const struct blas_operand *array)
{
    to->at[to->count++] = (void *)(uintptr_t)array->ptr;
    if (array->ld) /* 0: packed */
        add_number(to, array->ld);
}

/* One parameter becomes one or two arguments. */
static void add(struct addresses *to, const struct blas_fortran *f,
                unsigned which)
{
    const struct blas_arguments *g = &f->g;

    switch (which & ~(unsigned)(BLAS_IS_WRITTEN | BLAS_IS_REAL)) {
    case BLAS_TRANS:
        add_letter(to, "NTC"[g->trans]);
        break;
    case BLAS_SIDE:
        add_letter(to, "LR"[g->side]);
        break;
    case BLAS_UPLO:
        add_letter(to, "LU"[g->uplo]);
        break;
    case BLAS_DIAG:
        add_letter(to, "NU"[g->diag]);
        break;
    case BLAS_M:
        add_number(to, g->m);
        break;
    case BLAS_N:
        add_number(to, g->n);
        break;
    case BLAS_K:
        add_number(to, g->k);
        break;
    case BLAS_KL:
        add_number(to, g->kl);
        break;
    case BLAS_KU:
        add_number(to, g->ku);
        break;
    case BLAS_ALPHA:
        to->at[to->count++] = (void *)(uintptr_t)blas_scalar_address(&f->alpha);
        break;
    case BLAS_BETA:
        to->at[to->count++] = (void *)(uintptr_t)blas_scalar_address(&f->beta);
        break;
    case BLAS_X:
        add_array(to, &g->x);
        break;
    case BLAS_Y:
        add_array(to, &g->y);
        break;
    default:
        add_array(to, blas_matrix_operand(g, which & 31));
    }
}

/* --- preparations --------------------------------------------------------- */

/* BLAS's trmm works in place: copy B to C first. */
static void copy_b(const struct blas_fortran *f)
{
    const struct blas_arguments *g = &f->g;
    const size_t bytes = blas_bytes(f->routine->type);

    for (int64_t j = 0; g->b.ptr != g->c.ptr && j < g->n; j++)
        memcpy((char *)(uintptr_t)g->c.ptr + (size_t)(j * g->c.ld) * bytes,
               (const char *)g->b.ptr + (size_t)(j * g->b.ld) * bytes,
               (size_t)g->m * bytes);
}

/* A vector that is not read is cleared, since 0 times NaN is NaN. */
static void clear_y(const struct blas_fortran *f)
{
    const struct blas_vector y = blas_vector_of(f->routine, &f->g, BLAS_Y);

    for (int64_t i = 0; i < y.n; i++)
        blas_store_complex(y.type, y.ptr, blas_index(&y, i), 0);
}

/* A column of C's triangle in alpha op(A) op(B)' + beta C, from row `first`,
 * as a product with one column. */
static void multiply_column(const struct blas_fortran *f, int64_t column,
                            int64_t first, int64_t rows)
{
    const struct blas_arguments *g = &f->g;
    const bool is_plain = g->trans == CUBLAS_OP_N;
    const int64_t bytes = (int64_t)blas_bytes(f->routine->type);
    const char adjoint = f->routine->family[0] == 'h' ? 'C' : 'T';
    const double beta[2] = {blas_scalar_value(&f->beta)};
    const float beta_float[2] = {(float)beta[0]};
    struct addresses to = {.count = 0};

    add_letter(&to, is_plain ? 'N' : adjoint);
    add_letter(&to, is_plain ? adjoint : 'N');
    add_number(&to, rows);
    add_number(&to, 1);
    add_number(&to, g->k);
    add(&to, f, BLAS_ALPHA);
    add_array(&to, &(struct blas_operand){
                       (const char *)g->a.ptr
                           + bytes * first * (is_plain ? 1 : g->a.ld),
                       g->a.ld});
    add_array(&to, &(struct blas_operand){
                       (const char *)g->b.ptr
                           + bytes * column * (is_plain ? 1 : g->b.ld),
                       g->b.ld});
    if (f->beta.type == f->routine->type)
        add(&to, f, BLAS_BETA);
    else
        to.at[to.count++] = bytes == 16 ? (void *)(uintptr_t)beta
                                        : (void *)(uintptr_t)beta_float;
    add_array(&to, &(struct blas_operand){
                       (const char *)g->c.ptr
                           + bytes * (first + column * g->c.ld),
                       g->c.ld});
    blas_call_fortran(f->function, to.at, to.count);
}

/* The diagonal of a Hermitian matrix is real. */
static void make_real(const struct blas_fortran *f, int64_t at)
{
    const cudaDataType type = f->routine->type;
    void *c = (void *)(uintptr_t)f->g.c.ptr;

    blas_store_complex(type, c, at, creal(blas_load_complex(type, c, at)));
}

/* syrkx and herkx, which BLAS does not have: column by column. */
static void run_by_columns(const void *self, unsigned part)
{
    const struct blas_fortran *f = self;
    const int64_t n = f->g.n;

    (void)part;
    for (int64_t j = 0; j < n; j++)
        if (f->g.uplo == CUBLAS_FILL_MODE_LOWER)
            multiply_column(f, j, j, n - j);
        else
            multiply_column(f, j, 0, j + 1);
    for (int64_t j = 0; f->routine->family[0] == 'h' && j < n; j++)
        make_real(f, j + j * f->g.c.ld);
}

/* An array of a member. */
static const void *member_of(const struct blas_fortran *f, int which,
                             const void *first, int64_t member)
{
    if (f->batch.each[which])
        return f->batch.each[which][member];
    return (const char *)first
           + member * f->batch.stride[which]
                 * (int64_t)blas_bytes(f->routine->type);
}

struct blas_fortran blas_fortran_member(const struct blas_fortran *f,
                                        int64_t member)
{
    struct blas_fortran one = *f;

    if (f->batch.count == 0)
        return one;
    one.batch.count = 0;
    one.g.a.ptr = member_of(f, 0, f->g.a.ptr, member);
    if (f->g.b.ld)
        one.g.b.ptr = member_of(f, 1, f->g.b.ptr, member);
    if (f->g.x.ld) {
        one.g.x.ptr = member_of(f, 1, f->g.x.ptr, member);
        one.g.y.ptr = member_of(f, 2, f->g.y.ptr, member);
    }
    return one;
}

static void run(const void *self, unsigned part)
{
    const struct blas_fortran one = blas_fortran_member(self, part), *f = &one;
    const bool in_place = blas_is_family(f->routine, "trmm");
    struct addresses to = {.count = 0};

    if (in_place && blas_scalar_complex(&f->alpha) != 0)
        copy_b(f);
    if (f->g.beta && f->g.y.ptr && blas_scalar_complex(&f->beta) == 0)
        clear_y(f);
    for (size_t i = 0; f->routine->parameters[i] != BLAS_END; i++)
        if (!in_place || f->routine->parameters[i] != BLAS_B)
            add(&to, f, f->routine->parameters[i]);
    blas_call_fortran(f->function, to.at, to.count);
}

/* A copy of a vector with the increment 1; the caller frees it. */
static struct blas_operand dense_copy(const struct blas_vector *v)
{
    const size_t bytes = blas_bytes(v->type);
    char *copy = malloc((size_t)v->n * bytes + 1);

    if (!copy)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY, "no memory for a vector");
    for (int64_t i = 0; i < v->n; i++)
        memcpy(copy + (size_t)i * bytes,
               (const char *)v->ptr + blas_index(v, i) * (int64_t)bytes,
               bytes);
    return (struct blas_operand){copy, 1};
}

/* csyr2 and zsyr2: OpenBLAS 0.3.21 reads the wrong elements where an increment
 * is negative. */
static void run_dense(const void *self, unsigned part)
{
    struct blas_fortran f = *(const struct blas_fortran *)self;
    const struct blas_vector x = blas_vector_of(f.routine, &f.g, BLAS_X);
    const struct blas_vector y = blas_vector_of(f.routine, &f.g, BLAS_Y);

    f.g.x = dense_copy(&x);
    f.g.y = dense_copy(&y);
    run(&f, part);
    free((void *)(uintptr_t)f.g.x.ptr);
    free((void *)(uintptr_t)f.g.y.ptr);
}

void (*blas_fortran_run(const struct blas_routine *routine))(const void *,
                                                             unsigned)
{
    if (!strcmp(routine->family + 2, "rkx"))
        return run_by_columns;
    if (blas_is_family(routine, "syr2") && blas_is_complex(routine->type))
        return run_dense;
    return run;
}
