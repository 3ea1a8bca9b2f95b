/* SPDX-License-Identifier: MIT */
/* The calls of cuSOLVER on dense matrices, once for each type of an element. */
#include "dense.h"

#define BOTH (SOFTGPU_READS | SOFTGPU_WRITES)

/* LAPACK's letters; 0 for a value that is none. */
static char of_fill(cublasFillMode_t fill)
{
    return fill == CUBLAS_FILL_MODE_LOWER ? 'L'
           : fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 0;
}

static char of_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? 'N'
           : op == CUBLAS_OP_T || op == CUBLAS_OP_C ? 'T' : 0;
}

static char of_mode(cusolverEigMode_t mode)
{
    return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V'
           : mode == CUSOLVER_EIG_MODE_NOVECTOR ? 'N' : 0;
}

/* The side of Q in ormqr; 0 also for more reflectors than Q has rows. */
static char of_ormqr(cublasSideMode_t side, int m, int n, int k)
{
    if (side == CUBLAS_SIDE_LEFT)
        return k >= 0 && k <= m ? 'L' : 0;
    return side == CUBLAS_SIDE_RIGHT && k >= 0 && k <= n ? 'R' : 0;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* A matrix that a call reads or writes. */
#define MATRIX(name, at, rows, columns, use) \
    {#name, (void *)(at), rows, columns, ld##name, use}
/* Submit a call to its LAPACK function; its arguments follow. */
#define SUBMIT(function, ...)                                      \
    do {                                                           \
        SOFTGPU_LIBRARY_CALL();                                   \
        struct dense d = {.is_double = sizeof(REAL) == sizeof(double), \
                          .is_complex = sizeof(T) > sizeof(REAL),  \
                          .info = info, __VA_ARGS__};              \
        return dense_submit(handle, &d, NAME(function),            \
                            dense_run_##function);                 \
    } while (0)

/* Letters of gesvd: all or the first columns are computed, or none.  'O' in
 * both places would have two results in A. */
static char of_job(signed char job, signed char other)
{
    return job == 'A' || job == 'S' || job == 'N'
        || (job == 'O' && other != 'O') ? (char)job : 0;
}

/* Columns of U, or rows of VT. */
static int wanted(signed char job, int all, int some)
{
    return job == 'A' ? all : job == 'S' ? some : 0;
}

#define CALL(function) cusolverDnS##function
#define NAME(function) "cusolverDnS" #function
#define T float
#define REAL float
#include "dense_calls.def.h"
#undef CALL
#undef NAME
#undef T
#undef REAL

#define CALL(function) cusolverDnD##function
#define NAME(function) "cusolverDnD" #function
#define T double
#define REAL double
#include "dense_calls.def.h"
#undef CALL
#undef NAME
#undef T
#undef REAL

#define CALL(function) cusolverDnC##function
#define NAME(function) "cusolverDnC" #function
#define T cuComplex
#define REAL float
#include "hermitian_calls.def.h"
#undef CALL
#undef NAME
#undef T
#undef REAL

#define CALL(function) cusolverDnZ##function
#define NAME(function) "cusolverDnZ" #function
#define T cuDoubleComplex
#define REAL double
#include "hermitian_calls.def.h"
