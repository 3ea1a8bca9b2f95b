/* SPDX-License-Identifier: MIT */
/* The calls of cuSOLVER on dense matrices, once for each type of an element. */
#include "dense.h"
#include "letters.h"

#define BOTH (SOFTGPU_READS | SOFTGPU_WRITES)

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
