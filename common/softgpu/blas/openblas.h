/* SPDX-License-Identifier: MIT */
/** @file
 *  OpenBLAS, loaded when the first handle is made: programs without cuBLAS do
 *  not need it.  It runs on the thread that calls it; work is shared out by
 *  the software GPU, so that results do not depend on how many threads there
 *  are.
 */
#ifndef SOFTGPU_OPENBLAS_H
#define SOFTGPU_OPENBLAS_H

#include <stdbool.h>

/** CBLAS's numbers. */
enum {
    BLAS_COLUMNS = 102, /**< column-major */
    BLAS_PLAIN = 111,
    BLAS_TRANSPOSED = 112,
    BLAS_UPPER = 121,
    BLAS_LOWER = 122,
    BLAS_NON_UNIT = 131,
    BLAS_UNIT = 132,
    BLAS_LEFT = 141,
    BLAS_RIGHT = 142
};

/** The functions used, of one type of elements; prefix p, type T. */
#define OPENBLAS_FUNCTIONS(p, T)                                              \
    void (*p##gemm)(int order, int transa, int transb, int m, int n, int k,   \
                    T alpha, const T *a, int lda, const T *b, int ldb,        \
                    T beta, T *c, int ldc);                                   \
    void (*p##symm)(int order, int side, int uplo, int m, int n, T alpha,     \
                    const T *a, int lda, const T *b, int ldb, T beta, T *c,   \
                    int ldc);                                                 \
    void (*p##syrk)(int order, int uplo, int trans, int n, int k, T alpha,    \
                    const T *a, int lda, T beta, T *c, int ldc);              \
    void (*p##trsm)(int order, int side, int uplo, int trans, int diag,       \
                    int m, int n, T alpha, const T *a, int lda, T *b,         \
                    int ldb);                                                 \
    void (*p##trmm)(int order, int side, int uplo, int trans, int diag,       \
                    int m, int n, T alpha, const T *a, int lda, T *b,         \
                    int ldb);

/** OpenBLAS's functions. */
struct openblas {
    OPENBLAS_FUNCTIONS(s, float)
    OPENBLAS_FUNCTIONS(d, double)
};

extern struct openblas openblas; /**< usable once openblas_load() said so */

/** Load it.  @return false, after one line on stderr, when it is not there */
bool openblas_load(void);

#endif
