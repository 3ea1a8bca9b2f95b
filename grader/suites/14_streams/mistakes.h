/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 14. */
#ifndef GRADER_SUITES_14_STREAMS_MISTAKES_H
#define GRADER_SUITES_14_STREAMS_MISTAKES_H

#include "grader/suite/hypothesis.h"
#include "grader/suite/suite.h"

/** The inputs of a call. */
struct data_set {
    const uint8_t *in; /**< batches * size bytes */
    size_t batches;    /**< number of batches */
    size_t size;       /**< elements of a batch */
};

/** The expected output of one batch.
 *  @param[in]  in       size bytes
 *  @param[out] out      size numbers
 *  @param      scratch  as many
 *  @param      size     elements of a batch */
void streams_reference(const uint8_t *in, double *out, double *scratch,
                       size_t size);
/** What usual mistakes would have given; the context is a struct data_set. */
mistakes streams_mistakes;

#endif
