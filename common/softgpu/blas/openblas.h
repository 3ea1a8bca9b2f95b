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
    CBLAS_TRANS = 112,    /**< transposed */
    CBLAS_UPPER = 121,    /**< upper triangle */
    CBLAS_LOWER = 122,    /**< lower triangle */
    CBLAS_NON_UNIT = 131, /**< the diagonal is stored */
    CBLAS_UNIT = 132,     /**< the diagonal is 1 */
    CBLAS_LEFT = 141,     /**< A B */
    CBLAS_RIGHT = 142     /**< B A */
};

/** The functions used, for one element type; prefix p, type T. */
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

/** Function pointers to OpenBLAS. */
struct openblas {
    OPENBLAS_FUNCTIONS(s, float)
    OPENBLAS_FUNCTIONS(d, double)
};

extern struct openblas openblas; /**< valid after openblas_load() has returned
                                      true */

/** Load it.  @return false, after one line on stderr, if it is not installed */
bool openblas_load(void);
/** A function of LAPACK, which OpenBLAS has too; NULL: it is not there. */
void *openblas_symbol(const char *name);

#endif
