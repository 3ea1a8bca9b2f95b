/* SPDX-License-Identifier: MIT */
/* Calls of cuSOLVER on dense matrices: their arrays are declared, and they are
 * queued. */
#include "dense.h"

/* Matrices of a call. */
static size_t count(const struct dense *d)
{
    return d->batch ? (size_t)d->batch : 1;
}

/* Declare the accesses to a matrix, column by column. */
static void matrix_array(const struct dense *d, const struct matrix *m)
{
    const struct softgpu_array array = {
        .name = m->name, .ptr = m->at,
        .row = (size_t)m->rows * dense_element(d),
        .rows = (size_t)m->columns * count(d),
        .pitch = (size_t)m->ld * dense_element(d), .use = m->use};

    if (m->name)
        softgpu_library_array(&array);
}

/* Declare the accesses to an array, unless the call has none. */
static void array(const char *name, const void *p, size_t bytes,
                  enum softgpu_use use)
{
    const struct softgpu_array a = {.name = name, .ptr = p, .row = bytes,
                                    .rows = 1, .use = use};

    if (use)
        softgpu_library_array(&a);
}

/* Declare the accesses of a call. */
static void arrays(const void *self)
{
    const struct dense *d = self;

    matrix_array(d, &d->a);
    matrix_array(d, &d->b);
    matrix_array(d, &d->vt);
    array("values", d->values,
          (size_t)d->value_count * count(d) * dense_real(d), d->values_use);
    if (d->pivots)
        array("pivots", d->pivots,
              (size_t)d->value_count
                  * (d->is_wide ? sizeof(int64_t) : sizeof(int)),
              d->pivots_use);
    array("info", d->info, count(d) * sizeof(int), SOFTGPU_WRITES);
}

/* Is it a matrix in memory? */
static bool is_matrix(const struct matrix *m)
{
    return !m->name
           || (m->rows >= 0 && m->columns >= 0 && m->ld >= 1
               && m->ld >= m->rows && (m->at || !m->rows || !m->columns));
}

/* CUSOLVER_STATUS_INVALID_VALUE for a size, a leading dimension or an
 * enumerator that LAPACK refuses, and for arrays that are NULL. */
cusolverStatus_t dense_submit(cusolverDnHandle_t handle, struct dense *d,
                              const char *name,
                              void (*run)(const void *, unsigned))
{
    const double n = d->a.columns;

    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!is_matrix(&d->a) || !is_matrix(&d->b) || !is_matrix(&d->vt)
        || !d->info || !d->first || !d->second || d->batch < 0)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (d->a.rows > 16384 || d->a.columns > 16384) { /* sizes are int */
        softgpu_library_refuse("A has more than 16384 rows or columns");
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    }
    d->call = (struct softgpu_library_call){
        .name = name, .run = run, .arrays = arrays, .parts = (unsigned)count(d),
        .operations = n * n * d->a.rows * (double)count(d),
        .bytes = 2 * n * d->a.rows * (double)(count(d) * dense_element(d)),
        .site = softgpu_call_site};
    switch (softgpu_library_submit(handle->stream, d, sizeof *d)) {
    case cudaSuccess: return CUSOLVER_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation: return CUSOLVER_STATUS_ALLOC_FAILED;
    default: return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
}
