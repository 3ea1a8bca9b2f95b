/* SPDX-License-Identifier: MIT */
/** @file
 *  The typed calls of levels 1 to 3: calls.c defines each from its line in
 *  cublas_routines.def.h, and passes its arguments to the function of its
 *  group, which checks and submits them. */
#ifndef SOFTGPU_BLAS_ROUTINES_H
#define SOFTGPU_BLAS_ROUTINES_H

#include "blas.h"

/** A parameter of a call, as cublas_parameters.def.h has it, without the
 *  difference between _out and read, or real and complex factors. */
enum blas_parameter {
    BLAS_END,
    BLAS_TRANS,
    BLAS_TRANSB,
    BLAS_SIDE,
    BLAS_UPLO,
    BLAS_DIAG,
    BLAS_M,
    BLAS_N,
    BLAS_K,
    BLAS_KL,
    BLAS_KU,
    BLAS_ALPHA,
    BLAS_BETA,
    BLAS_A,
    BLAS_B,
    BLAS_C,
    BLAS_X,
    BLAS_Y,
    BLAS_ELSE, /**< of level 1 only */
    BLAS_IS_WRITTEN = 32, /**< or'ed: the array is written */
    BLAS_IS_REAL = 64     /**< or'ed: the factor has the real type */
};
enum { BLAS_MOST_PARAMETERS = 11 /**< BLAS_END included */ };

/** What is fixed for a call. */
struct blas_routine {
    const char *name;   /**< "cublasZhbmv" */
    const char *family; /**< "hbmv", the same for all types */
    cudaDataType type;  /**< of the elements */
    size_t size_bytes;  /**< of a size: int or int64_t */
    unsigned char parameters[BLAS_MOST_PARAMETERS]; /**< in their order */
};

/** An array argument. */
struct blas_operand {
    const void *ptr;
    int64_t ld; /**< leading dimension or increment; 0: packed */
};

/** The arguments of a call; those that it does not have are 0. */
struct blas_arguments {
    cublasOperation_t trans, transb;
    cublasSideMode_t side;
    cublasFillMode_t uplo;
    cublasDiagType_t diag;
    int64_t m, n, k, kl, ku;
    const void *alpha, *beta;
    struct blas_operand a, b, c, x, y;
    const void *cosine, *sine, *param;
    void *result;
    const void *scalars[5]; /**< of rotg and rotmg */
};

/** A batch: for A, for B or x, for y, an array of `count` device pointers in
 *  device memory, or the distance of the arrays in elements. */
struct blas_batch {
    int64_t count; /**< 0: no batch */
    const void *const *each[3];
    int64_t stride[3];
};

/** The groups of cublas_routines.def.h: check the arguments and submit. */
cublasStatus_t blas_level1(cublasHandle_t handle, const struct blas_routine *,
                           const struct blas_arguments *);
/** rotg and rotmg: of numbers in host or device memory. */
cublasStatus_t blas_scalars(cublasHandle_t handle, const struct blas_routine *,
                            const struct blas_arguments *);
/** A matrix and a vector. */
cublasStatus_t blas_gemv(cublasHandle_t handle, const struct blas_routine *,
                         const struct blas_arguments *);
/** A += alpha x y^T for real numbers. */
cublasStatus_t blas_ger(cublasHandle_t handle, const struct blas_routine *,
                        const struct blas_arguments *);
/** What OpenBLAS computes as one part: the rest of level 2 and 3. */
cublasStatus_t blas_fortran(cublasHandle_t handle, const struct blas_routine *,
                            const struct blas_arguments *);
/** The same for a batch; the arrays of arguments are not used if there are
 *  pointers. */
cublasStatus_t blas_fortran_batch(cublasHandle_t handle,
                                  const struct blas_routine *,
                                  const struct blas_arguments *,
                                  const struct blas_batch *);
/** The product of matrices. */
cublasStatus_t blas_gemm(cublasHandle_t handle, const struct blas_routine *,
                         const struct blas_arguments *);
/** Sum of matrices. */
cublasStatus_t blas_geam(cublasHandle_t handle, const struct blas_routine *,
                         const struct blas_arguments *);
/** Product with a diagonal matrix. */
cublasStatus_t blas_dgmm(cublasHandle_t handle, const struct blas_routine *,
                         const struct blas_arguments *);

/** Copy a packed triangle, or to one. */
cublasStatus_t blas_packed(cublasHandle_t handle, const struct blas_routine *,
                           const struct blas_arguments *);

/** Call a function of Fortran's interface, where each argument is an address.
 *  @param count  4 to 13 */
void blas_call_fortran(void *function, void *const arguments[], size_t count);
/** OpenBLAS's function of a family for a type: "zhbmv_"; NULL: it has none. */
void *blas_fortran_function(const char *family, cudaDataType type);

#endif
