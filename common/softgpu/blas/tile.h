/* SPDX-License-Identifier: MIT */
/** @file
 *  A tile of a product, computed by OpenBLAS in float or double, or complex
 *  numbers of these. */
#ifndef SOFTGPU_BLAS_TILE_H
#define SOFTGPU_BLAS_TILE_H

#include "matmul.h"

/** A tile of D. */
struct blas_tile {
    const struct blas_matmul *p;
    int64_t batch, row, column, rows, columns;
    double complex alpha, beta;
    bool in_double; /**< computed in double precision */
};

/** An operand for OpenBLAS. */
struct blas_panel {
    const void *ptr;
    void *scratch; /**< owned, or NULL */
    int64_t ld;
};

/** Is the product computed in double? */
bool blas_is_in_double(const struct blas_matmul *product);
/** The type in which it is computed. */
cudaDataType blas_tile_type(const struct blas_tile *tile);
/** Address of a matrix of the batch. */
char *blas_matrix_at(const struct blas_matrix *m, int64_t batch);
/** Address of an element of a matrix as stored. */
char *blas_element_at(const struct blas_matrix *m, int64_t batch, int64_t row,
                      int64_t column);
/** c = alpha a b + beta c in the tile's type. */
void blas_multiply_tile(const struct blas_tile *t, double complex alpha,
                        double complex beta, struct blas_panel c);

#endif
