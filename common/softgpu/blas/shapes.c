/* SPDX-License-Identifier: MIT */
/* Shapes of the arrays of level 2 and 3, and what is stored of them. */
#include "shapes.h"

#include <string.h>

int blas_find_parameter(const struct blas_routine *routine,
                        enum blas_parameter parameter)
{
    const unsigned flags = BLAS_IS_WRITTEN | BLAS_IS_REAL;

    for (int i = 0; routine->parameters[i] != BLAS_END; i++)
        if ((routine->parameters[i] & ~flags) == parameter)
            return i;
    return -1;
}

/* Does the call have this parameter? */
static bool has(const struct blas_routine *routine, enum blas_parameter which)
{
    return blas_find_parameter(routine, which) >= 0;
}

const struct blas_operand *blas_matrix_operand(const struct blas_arguments *g,
                                               enum blas_parameter which)
{
    return which == BLAS_A ? &g->a : which == BLAS_B ? &g->b : &g->c;
}

/* --- shapes --------------------------------------------------------------- */

/* How A is stored, by the first letters: ge, gb, sy, hb, tp, ... */
static enum blas_form form_of(const char *family)
{
    const bool is_general = family[0] == 'g';

    switch (family[1]) {
    case 'b':
        return is_general ? BLAS_GENERAL_BAND : BLAS_TRIANGLE_BAND;
    case 'p':
        return BLAS_PACKED;
    default:
        return is_general ? BLAS_GENERAL : BLAS_TRIANGLE;
    }
}

/* A of level 2: m x n if it is general, else n x n. */
static struct blas_shape level2_shape(const struct blas_routine *routine,
                                      const struct blas_arguments *g)
{
    struct blas_shape s = {.form = form_of(routine->family),
                           .rows = has(routine, BLAS_M) ? g->m : g->n,
                           .columns = g->n};

    s.height = s.form == BLAS_GENERAL_BAND    ? g->kl + g->ku + 1
               : s.form == BLAS_TRIANGLE_BAND ? g->k + 1
               : s.form == BLAS_PACKED        ? 0
                                              : s.rows;
    s.omits_diagonal =
        has(routine, BLAS_DIAG) && g->diag == CUBLAS_DIAG_UNIT;
    return s;
}

/* A general matrix or a triangle of a square one. */
static struct blas_shape full_shape(enum blas_form form, int64_t rows,
                                    int64_t columns)
{
    return (struct blas_shape){form, rows, columns, rows, false};
}

struct blas_shape blas_shape_of(const struct blas_routine *routine,
                                const struct blas_arguments *g,
                                enum blas_parameter which)
{
    const int64_t size = g->side == CUBLAS_SIDE_LEFT ? g->m : g->n;
    struct blas_shape s;

    if (has(routine, BLAS_SIDE)) {
        if (which != BLAS_A)
            return full_shape(BLAS_GENERAL, g->m, g->n);
        s = full_shape(BLAS_TRIANGLE, size, size);
        s.omits_diagonal =
            has(routine, BLAS_DIAG) && g->diag == CUBLAS_DIAG_UNIT;
        return s;
    }
    if (!has(routine, BLAS_C))
        return level2_shape(routine, g);
    if (which == BLAS_C)
        return full_shape(BLAS_TRIANGLE, g->n, g->n);
    return g->trans == CUBLAS_OP_N ? full_shape(BLAS_GENERAL, g->n, g->k)
                                   : full_shape(BLAS_GENERAL, g->k, g->n);
}

struct blas_vector blas_vector_of(const struct blas_routine *routine,
                                  const struct blas_arguments *g,
                                  enum blas_parameter which)
{
    const struct blas_operand *v = which == BLAS_X ? &g->x : &g->y;
    const bool is_product = has(routine, BLAS_TRANS) && has(routine, BLAS_M);
    const bool is_turned = is_product && g->trans != CUBLAS_OP_N;
    const bool is_long = has(routine, BLAS_M)
                         && (which == BLAS_X) != (is_product && !is_turned);

    return (struct blas_vector){(void *)(uintptr_t)v->ptr,
                                is_long ? g->m : g->n, v->ld, routine->type};
}

/* --- what is stored ------------------------------------------------------- */

/** Elements of a column, which follow each other. */
struct segment {
    int64_t first, end;
};

static int64_t min_size(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Column j of a band of a triangle, the diagonal included. */
static struct segment band_column(const struct blas_shape *s, int64_t j,
                                  int64_t ld, bool is_lower)
{
    const int64_t k = s->height - 1;

    return is_lower
               ? (struct segment){j * ld, j * ld + min_size(k + 1, s->rows - j)}
               : (struct segment){j * ld + blas_max(0, k - j),
                                  j * ld + k + 1};
}

/* Column j of a triangle, likewise; ld is 0 if it is packed. */
static struct segment triangle_column(const struct blas_shape *s, int64_t j,
                                  int64_t ld, bool is_lower)
{
    int64_t first = is_lower ? j * ld + j : j * ld;

    if (s->form == BLAS_PACKED)
        first = is_lower ? j * s->rows - j * (j - 1) / 2 : j * (j + 1) / 2;
    return (struct segment){first, first + (is_lower ? s->rows - j : j + 1)};
}

/* Column j as it is stored. */
static struct segment stored_column(const struct blas_shape *s, int64_t j,
                                int64_t ld, const struct blas_arguments *g)
{
    const bool is_lower = g->uplo == CUBLAS_FILL_MODE_LOWER;
    struct segment r;

    if (s->form == BLAS_GENERAL_BAND)
        return (struct segment){
            j * ld + blas_max(0, g->ku - j),
            j * ld + min_size(s->height, g->ku + s->rows - j)};
    r = s->form == BLAS_TRIANGLE_BAND ? band_column(s, j, ld, is_lower)
                                      : triangle_column(s, j, ld, is_lower);
    if (s->omits_diagonal && is_lower)
        r.first++;
    else if (s->omits_diagonal)
        r.end--;
    return r;
}

void blas_declare_shape(const struct blas_array *array,
                        const struct blas_shape *s,
                        const struct blas_arguments *g)
{
    struct blas_array part = *array;

    part.rows = s->rows;
    part.columns = s->columns;
    if (s->form == BLAS_GENERAL) {
        blas_array(&part);
        return;
    }
    part.columns = 1;
    for (int64_t j = 0; j < s->columns; j++) {
        const struct segment r = stored_column(s, j, array->ld, g);

        part.ptr = (const char *)array->ptr
                   + r.first * (int64_t)blas_bytes(array->type);
        part.rows = r.end - r.first;
        if (part.rows > 0)
            blas_array(&part);
    }
}
