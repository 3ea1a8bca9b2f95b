/* SPDX-License-Identifier: MIT */
/** @file
 *  LAPACK's letters for cuSOLVER's enumerators. */
#ifndef SOFTGPU_SOLVER_LETTERS_H
#define SOFTGPU_SOLVER_LETTERS_H

#include "cusolverDn.h"

/** LAPACK's letters; 0 for a value that is none. */
static inline char of_fill(cublasFillMode_t fill)
{
    return fill == CUBLAS_FILL_MODE_LOWER ? 'L'
           : fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 0;
}

/** Likewise. */
static inline char of_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? 'N'
           : op == CUBLAS_OP_T || op == CUBLAS_OP_C ? 'T' : 0;
}

/** Likewise. */
static inline char of_mode(cusolverEigMode_t mode)
{
    return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V'
           : mode == CUSOLVER_EIG_MODE_NOVECTOR ? 'N' : 0;
}

/** The side of Q in ormqr; 0 also for more reflectors than Q has rows. */
static inline char of_ormqr(cublasSideMode_t side, int m, int n, int k)
{
    if (side == CUBLAS_SIDE_LEFT)
        return k >= 0 && k <= m ? 'L' : 0;
    return side == CUBLAS_SIDE_RIGHT && k >= 0 && k <= n ? 'R' : 0;
}

/** The smaller one of two sizes. */
static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

/** Letters of gesvd: all or the first columns are computed, or none.  'O' in
 *  both places would have two results in A. */
static inline char of_job(signed char job, signed char other)
{
    return job == 'A' || job == 'S' || job == 'N'
        || (job == 'O' && other != 'O') ? (char)job : 0;
}

/** Columns of U, or rows of VT. */
static inline int wanted(signed char job, int all, int some)
{
    return job == 'A' ? all : job == 'S' ? some : 0;
}

#endif
