/* SPDX-License-Identifier: MIT */
/** @file
 *  Declarations of the timed kernels and of their CPU references.
 *
 *  Each `NAME.cu` is standard CUDA C and exports soft_NAME(); cpu_reference.c
 *  has the same computation as an OpenMP loop, plain_NAME().  Both read the
 *  same inputs and write an output of their own, which main.c compares.
 */
#ifndef SOFTGPU_BENCH_H
#define SOFTGPU_BENCH_H

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VECTOR_N = 1 << 24,  /* floats, and bytes of the histogram */
    GEMM_N = 512,        /* naive and tiled */
    BLOCKED_N = 1024,    /* register-blocked */
    IMAGE_N = 2048,      /* rows and columns of the convolution */
    TAPS = 5,            /* of its square filter */
    BINS = 256,
    BARRIER_BLOCKS = 64, /* of 256 threads with BARRIERS barriers each */
    BARRIERS = 200,
    BLOCK = 256          /* threads a block in one-dimensional kernels */
};

/** Inputs and output of one run; managed memory. */
struct bench_data {
    const float *a, *b;         /**< VECTOR_N random floats each */
    const unsigned char *bytes; /**< VECTOR_N random bytes */
    float *out;                 /**< VECTOR_N floats; all or part is written */
};

/** @cond one pair of functions a row */
#define BENCH(name)                          \
    void soft_##name(const struct bench_data *w);  \
    void plain_##name(const struct bench_data *w);
BENCH(vector_add)
BENCH(gemm_naive)
BENCH(gemm_tiled)
BENCH(gemm_blocked)
BENCH(reduce_tree)
BENCH(reduce_shuffle)
BENCH(convolution)
BENCH(histogram)
BENCH(barrier)
#undef BENCH
/** @endcond */

#ifdef __cplusplus
}
#endif
#endif
