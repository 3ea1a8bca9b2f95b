/* SPDX-License-Identifier: MIT */
/** @file
 *  Was the work of a stream all that wrote an output?
 */
#ifndef GRADER_RUNNER_STREAM_OUTPUT_H
#define GRADER_RUNNER_STREAM_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

/** An output in device memory. */
struct stream_output {
    void *d_data; /**< device */
    size_t bytes; /**< of it */
};

enum { STREAM_IS_LATE = -1 /**< an output changed after the stream's work */ };

/** Wait for a stream, then for the whole device, and compare the outputs.
 *  The runner's own calls here are not counted.
 *  @return a cudaError_t, or STREAM_IS_LATE */
int64_t runner_wait_stream(cudaStream_t stream,
                           const struct stream_output *outputs, size_t count);

#endif
