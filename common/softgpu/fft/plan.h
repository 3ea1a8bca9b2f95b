/* SPDX-License-Identifier: MIT */
/** @file
 *  Plans of cuFFT by their handles. */
#ifndef SOFTGPU_FFT_PLAN_H
#define SOFTGPU_FFT_PLAN_H

#include <stdbool.h>

#include "cufftXt.h"
#include "fftw.h"

/** A function of the program that loads or stores elements. */
struct fft_callback {
    void *function; /**< NULL: none */
    void *info;     /**< its argument */
};

/** A plan. */
struct fft_plan {
    bool made;               /**< false after cufftCreate() */
    cudaStream_t stream;     /**< of cufftSetStream() */
    struct fftw_shape shape; /**< all but direction, in_place, and the layout
                                  of a contiguous array */
    bool in_contiguous;      /**< inembed was NULL */
    bool out_contiguous;     /**< onembed was NULL */
    struct fft_callback load;  /**< cufftXtSetCallback() */
    struct fft_callback store; /**< likewise */
};

/** The plan of a handle; NULL: none. */
struct fft_plan *fft_plan_of(cufftHandle handle);
/** Is the input of this cufftType real?  Or its output? */
static inline bool fft_has_real_input(int kind)
{
    return kind == CUFFT_R2C || kind == CUFFT_D2Z;
}
/** Likewise. */
static inline bool fft_has_real_output(int kind)
{
    return kind == CUFFT_C2R || kind == CUFFT_Z2D;
}
/** Is it in double precision? */
static inline bool fft_is_double(int kind)
{
    return (kind & 0x40) != 0;
}

/** The type of the callbacks of one side. */
static inline int fft_callback_type(int kind, bool store)
{
    const bool real =
        store ? fft_has_real_output(kind) : fft_has_real_input(kind);

    return (store ? CUFFT_CB_ST_COMPLEX : 0) + (real ? 2 : 0)
           + fft_is_double(kind);
}

#endif
