/* SPDX-License-Identifier: MIT */
/** @file
 *  Timing a step of a ladder and its peers (library calls that do the same, or
 *  a copy of as many bytes) on a card.
 *
 *  Each NN_stem.cu describes a lab: its cases, the call of a step, and the
 *  peers.  main.cu times them; a program is one lab with one step.  Inputs are
 *  random; calls cycle through sets of them that exceed the L2 cache four
 *  times.
 */
#ifndef GRADER_BENCH_BENCH_H
#define GRADER_BENCH_BENCH_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_PEERS = 2, BENCH_INPUTS = 2, BENCH_SETS = 64 };

/** A problem to time. */
struct bench_case {
    const char *name;  /**< "2^28 floats"; NULL ends */
    size_t m, n, k;    /**< as the lab means them */
    int kind;          /**< likewise */
};

/** Sizes of a case. */
struct bench_size {
    size_t in[BENCH_INPUTS];      /**< bytes of each input; 0: none */
    size_t out;                   /**< bytes */
    size_t workspace;                  /**< bytes; 0: none */
    double units;                 /**< bytes moved or operations, of a step */
    double peer[BENCH_PEERS];     /**< of each peer */
};

/** Arrays of one call, on the device, multiples of 256. */
struct bench_arrays {
    void *in[BENCH_INPUTS]; /**< filled */
    void *out;              /**< to be written */
    void *workspace;             /**< of any contents */
};

/** A call: launches on the default stream.  @return 0, or an error */
typedef int bench_call(const struct bench_case *, const struct bench_arrays *);

/** A lab as main.cu sees it. */
struct bench_lab {
    const struct bench_case *cases; /**< ends with a NULL name */
    const char *unit;               /**< "GB/s", "TFLOP/s", "k images/s" */
    double tolerance; /**< largest difference of a correct output */
    /** Set the sizes of a case. */
    void (*size)(const struct bench_case *, struct bench_size *);
    /** Fill one input of a set; `seed` differs from input to input. */
    void (*fill)(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed);
    bench_call *step; /**< the lab's function */
    struct {
        const char *name; /**< as in the table; NULL: none */
        bench_call *run;  /**< the same work, or a copy of as many bytes */
    } peer[BENCH_PEERS];  /**< the first must be there */
    /** Largest difference of the step's output, relative to the largest value;
     *  `answer` has the same inputs and the first peer's output. */
    double (*difference)(const struct bench_case *,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer);
};

extern const struct bench_lab bench_lab; /**< NN_stem.cu's */

/** Uniform random floats from lo up to hi. */
void bench_floats(void *d_out, size_t bytes, uint32_t seed, float lo,
                  float hi);
/** Uniform random 16-bit floats from -1 up to 1: bfloat16, or half. */
void bench_16bit_floats(void *d_out, size_t bytes, uint32_t seed, bool bf16);
/** Uniform random bytes. */
void bench_bytes(void *d_out, size_t bytes, uint32_t seed);
/** The largest |got - want| over the largest |want|. */
double bench_max_error(const void *d_got, const void *d_want, size_t floats);
/** A peer: copies the first input; reads and writes are counted. */
int bench_copy(const struct bench_case *, const struct bench_arrays *);

#endif
