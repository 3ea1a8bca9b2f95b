/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls of cuSOLVER on dense matrices as commands of a stream. */
#ifndef SOFTGPU_SOLVER_DENSE_H
#define SOFTGPU_SOLVER_DENSE_H

#include <stdbool.h>

#include "common/softgpu/host/library.h"
#include "cusolverDn.h"

/** A handle. */
struct cusolverDnContext {
    cudaStream_t stream;
};

/** A matrix. */
struct matrix {
    const char *name; /**< NULL: no matrix */
    void *at;
    int rows, columns, ld;
    enum softgpu_use use;
};

/** Arguments of a call: A, and where it has them B (or C, U) and VT. */
struct dense {
    struct softgpu_library_call call; /**< first */
    bool is_double, is_complex; /**< the elements of its matrices */
    char first, second; /**< its texts */
    int k;
    struct matrix a, b, vt;
    void *values; /**< tau, w or s: real */
    int value_count;
    enum softgpu_use values_use;
    int *pivots; /**< or NULL */
    enum softgpu_use pivots_use;
    bool is_wide; /**< the pivots are int64_t */
    int *info;
    int batch; /**< matrices, one behind the other, each with its values and
                *   info; 0: one */
    struct syevjInfo *jacobi; /**< gets the residual, or NULL */
};

/** Bytes of a real number. */
static inline size_t dense_real(const struct dense *d)
{
    return d->is_double ? sizeof(double) : sizeof(float);
}

/** Bytes of a matrix's element. */
static inline size_t dense_element(const struct dense *d)
{
    return d->is_complex ? 2 * dense_real(d) : dense_real(d);
}

/** Run a call: LAPACK's function of the name. */
void dense_run_getrf(const void *self, unsigned part);
void dense_run_getrs(const void *self, unsigned part); /**< likewise */
void dense_run_potrf(const void *self, unsigned part); /**< likewise */
void dense_run_potrs(const void *self, unsigned part); /**< likewise */
void dense_run_geqrf(const void *self, unsigned part); /**< likewise */
void dense_run_ormqr(const void *self, unsigned part); /**< likewise */
void dense_run_orgqr(const void *self, unsigned part); /**< likewise */
void dense_run_syevd(const void *self, unsigned part); /**< likewise */
void dense_run_gesvd(const void *self, unsigned part); /**< likewise */
void dense_run_heevd(const void *self, unsigned part); /**< likewise */

/** A work area of n real numbers; a fault of the launch if there is no memory.
 */
void *dense_work_area(const struct dense *d, size_t n);
/** Check the matrices and submit a call to the handle's stream. */
cusolverStatus_t dense_submit(cusolverDnHandle_t handle, struct dense *d,
                              const char *name,
                              void (*run)(const void *, unsigned));
/** Answer how large the work area is: one element. */
cusolverStatus_t dense_work_size(cusolverDnHandle_t handle, bool good,
                                 int *lwork);

#endif
