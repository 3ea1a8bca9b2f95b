/* SPDX-License-Identifier: MIT */
/** @file
 *  Shapes of the arrays of level 2 and 3, which follow from a call's family:
 *  its first letters say how A is stored (BLAS's names), its parameters
 *  whether it is of level 2 or 3. */
#ifndef SOFTGPU_BLAS_SHAPES_H
#define SOFTGPU_BLAS_SHAPES_H

#include "routines.h"

/** How a matrix is stored. */
enum blas_form {
    BLAS_GENERAL,
    BLAS_GENERAL_BAND,
    BLAS_TRIANGLE,
    BLAS_TRIANGLE_BAND,
    BLAS_PACKED /**< a triangle */
};

/** A matrix argument. */
struct blas_shape {
    enum blas_form form;
    int64_t rows, columns; /**< of the matrix */
    int64_t height;        /**< rows as stored: least leading dimension */
    bool omits_diagonal;   /**< it is 1 and not stored */
};

/** Position of a parameter in the call, or -1.  Flags are ignored. */
int blas_find_parameter(const struct blas_routine *routine,
                        enum blas_parameter parameter);
/** The shape of BLAS_A, BLAS_B or BLAS_C. */
struct blas_shape blas_shape_of(const struct blas_routine *routine,
                                const struct blas_arguments *g,
                                enum blas_parameter which);
/** The elements of vector BLAS_X or BLAS_Y. */
struct blas_vector blas_vector_of(const struct blas_routine *routine,
                                  const struct blas_arguments *g,
                                  enum blas_parameter which);
/** In `arrays`: declare accesses to what is stored of a matrix. */
void blas_declare_shape(const struct blas_array *array,
                        const struct blas_shape *shape,
                        const struct blas_arguments *g);
/** The matrix argument. */
const struct blas_operand *blas_matrix_operand(const struct blas_arguments *g,
                                               enum blas_parameter which);

#endif
