/* SPDX-License-Identifier: MIT */
/** @file
 *  OpenBLAS, loaded when the first handle is created: programs without cuBLAS
 *  do not need it.  It runs on the calling thread only; the software GPU
 *  distributes the work, so that results do not depend on the number of
 *  threads. */
#ifndef SOFTGPU_OPENBLAS_H
#define SOFTGPU_OPENBLAS_H

#include <stdbool.h>

/** Constants of CBLAS. */
enum {
    CBLAS_COL_MAJOR = 102, /**< column-major */
    CBLAS_NO_TRANS = 111,
    CBLAS_TRANS = 112,     /**< transposed */
    CBLAS_CONJ_TRANS = 113 /**< and conjugated */
};

/** The product C = alpha op(A) op(B) + beta C; T is the type of the elements,
 *  F that of the factors. */
#define OPENBLAS_GEMM(name, T, F)                                         \
    void (*name)(int order, int transa, int transb, int m, int n, int k,  \
                 F alpha, const T *a, int lda, const T *b, int ldb,       \
                 F beta, T *c, int ldc);

/** Function pointers to OpenBLAS; the complex ones take addresses of factors.
 */
struct openblas {
    OPENBLAS_GEMM(sgemm, float, float)
    OPENBLAS_GEMM(dgemm, double, double)
    OPENBLAS_GEMM(cgemm, void, const void *)
    OPENBLAS_GEMM(zgemm, void, const void *)
};

extern struct openblas openblas; /**< valid after openblas_load() has returned
                                      true */

/** Load it.  @return false, after one line on stderr, if it is not installed */
bool openblas_load(void);
/** A function of BLAS or LAPACK, by its name; NULL: it is not there. */
void *openblas_symbol(const char *name);

#endif
