/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls that OpenBLAS computes as one part.  Its functions of Fortran's
 *  interface have the parameters of cuBLAS's in the same order, each as an
 *  address: so one function can check, declare and pass the arguments of any
 *  call. */
#ifndef SOFTGPU_BLAS_FORTRAN_H
#define SOFTGPU_BLAS_FORTRAN_H

#include <string.h>

#include "shapes.h"

/** Arguments of a submitted call. */
struct blas_fortran {
    struct softgpu_library_call call; /**< first */
    const struct blas_routine *routine;
    struct blas_arguments g;
    struct blas_batch batch; /**< a part is a member of it */
    struct blas_scalar alpha, beta;
    void *function; /**< OpenBLAS's */
};

/** Is it this family? */
static inline bool blas_is_family(const struct blas_routine *routine,
                                  const char *family)
{
    return !strcmp(routine->family, family);
}
/** The call of one member of a batch. */
struct blas_fortran blas_fortran_member(const struct blas_fortran *f,
                                        int64_t member);
/** How a family runs. */
void (*blas_fortran_run(const struct blas_routine *routine))(const void *,
                                                             unsigned);

#endif
