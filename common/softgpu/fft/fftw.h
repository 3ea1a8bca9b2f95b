/* SPDX-License-Identifier: MIT */
/** @file
 *  FFTW, loaded when the first plan of a precision is made: programs without
 *  cuFFT do not need it. */
#ifndef SOFTGPU_FFTW_H
#define SOFTGPU_FFTW_H

#include <stdbool.h>
#include <stdint.h>

/** Elements of one transform in memory, as FFTW's advanced interface has it. */
struct fftw_layout {
    int embed[3]; /**< dimensions of the array that contains it */
    int stride;   /**< from element to element of the last dimension */
    int64_t dist; /**< from transform to transform */
};

/** A transform; without padding, because its bytes are compared. */
struct fftw_shape {
    int kind;      /**< cufftType */
    int direction; /**< sign of the exponent */
    int rank;      /**< 1 to 3 */
    int n[3];      /**< elements of each dimension */
    int batch;     /**< transforms, one after the other */
    int in_place;  /**< input and output are one array */
    struct fftw_layout in;  /**< of the input */
    struct fftw_layout out; /**< of the output */
};

/** Load the library of a precision.
 *  @return false, after one line on stderr, if it is not installed */
bool fftw_load(bool is_double);
/** Plan a transform; plans are kept, and each shape is planned once.
 *  @return FFTW's plan, or NULL */
void *fftw_plan(const struct fftw_shape *shape);
/** Execute one transform; any OS thread may. */
void fftw_execute(const struct fftw_shape *shape, void *plan, void *in,
                  void *out);

#endif
