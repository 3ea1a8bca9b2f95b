/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  What steps 2 to 4 of lab 14 share: some batches under way at a time, each
 *  in a slot of its own, and the frame that makes and frees all of it.
 */
#ifndef STREAMS_SLOTS_H
#define STREAMS_SLOTS_H

// END SOLUTION
#include "stage.h"

enum { SLOTS = 3 }; /* one copied up, one computed, one copied down */

/** What one batch needs while it is under way. */
struct slot {
    cudaStream_t stream;  /**< its work, in order */
    float *d_x, *d_y;     /**< device, a batch each */
// BEGIN SOLUTION
    float *h_x;           /**< pinned, a batch; step 4 */
    cudaEvent_t taken;    /**< h_x has been copied up; step 4 */
    cudaGraphExec_t step; /**< the stages; steps 3 and 4 */
// HANDOUT
//     /* TODO 3: pinned memory to load a batch into, and an event that tells
//      * when it has been copied up */
//     /* TODO 5: the stages as a graph: cudaGraphExec_t */
// END SOLUTION
};

/** Queue all batches; what is queued may still run when it returns.
 *  @param h_out  pinned */
static cudaError_t work_through(const unsigned char *h_in, float *h_out,
                                int batches, int size, struct slot *slots);

/** Make what a slot needs besides stream and device memory. */
static cudaError_t furnish(struct slot *slot, int size);

/** Free that; members that were not made are NULL. */
static void clear(struct slot *slot);

// BEGIN SOLUTION
/** The stages as a graph: what the stream is told is noted, not run. */
static inline cudaError_t capture_stages(struct slot *s, int size)
{
    cudaGraph_t graph = NULL;
    cudaError_t err = CUDA_CHECK(
        cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal));

    if (err) return err;
    err = run_stages(s->d_x, s->d_y, size, s->stream);
    const cudaError_t end =
        CUDA_CHECK(cudaStreamEndCapture(s->stream, &graph));
    if (!err) err = end;
    if (!err) err = CUDA_CHECK(cudaGraphInstantiate(&s->step, graph, 0));
    if (graph) cudaGraphDestroy(graph);
    return err;
}

// END SOLUTION
/* A stream that does not wait for the default one, and device memory. */
static cudaError_t open_slot(struct slot *s, int size)
{
    const size_t bytes = size * sizeof(float);
    cudaError_t err = CUDA_CHECK(
        cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));

    if (!err) err = CUDA_CHECK(cudaMalloc(&s->d_x, bytes));
    if (!err) err = CUDA_CHECK(cudaMalloc(&s->d_y, bytes));
    return err ? err : furnish(s, size);
}

static void close_slot(struct slot *s)
{
    clear(s);
    cudaFree(s->d_x);
    cudaFree(s->d_y);
    if (s->stream) cudaStreamDestroy(s->stream);
}

/* All that is queued must have run before anything is freed. */
static cudaError_t with_slots(const unsigned char *h_in, float *h_out,
                              int batches, int size)
{
    struct slot slots[SLOTS] = {};
    cudaError_t err = cudaSuccess;

    for (int s = 0; !err && s < SLOTS; s++) err = open_slot(&slots[s], size);
    if (!err) err = work_through(h_in, h_out, batches, size, slots);
    const cudaError_t end = CUDA_CHECK(cudaDeviceSynchronize());
    for (int s = 0; s < SLOTS; s++) close_slot(&slots[s]);
    return err ? err : end;
}

int streams(const unsigned char *h_in, float *h_out, int batches, int size)
{
    const size_t bytes = (size_t)batches * size * sizeof(float);
    cudaError_t err = cudaSuccess;

    if (bytes == 0) return cudaSuccess;
// BEGIN SOLUTION
    /* pinned for the call: copies down need not wait for a buffer */
    err = CUDA_CHECK(
        cudaHostRegister(h_out, bytes, cudaHostRegisterDefault));
    if (err) return err;
    err = with_slots(h_in, h_out, batches, size);
    const cudaError_t end = CUDA_CHECK(cudaHostUnregister(h_out));
    return err ? err : end;
// HANDOUT
//     /* TODO 4: pin h_out for the call: cudaHostRegister, and its opposite */
//     err = with_slots(h_in, h_out, batches, size);
//     return err;
// END SOLUTION
}
// BEGIN SOLUTION

#endif
// END SOLUTION
