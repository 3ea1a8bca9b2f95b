/* SPDX-License-Identifier: MIT */
/** @file
 *  What steps 2 to 4 of lab 14 share: several batches in flight, each in its
 *  own slot, and the code that creates and destroys the slots. */
#ifndef STREAMS_SLOTS_H
#define STREAMS_SLOTS_H

#include "stage.h"

enum { SLOTS = 3 }; /* copied to the device, computed, copied back */

/** The resources of a batch in flight. */
struct slot {
    cudaStream_t stream;          /**< its work, in order */
    float *d_x, *d_y;             /**< device, one batch each */
    float *h_x;                   /**< pinned, one batch; step 4 */
    cudaEvent_t copied;           /**< recorded after the copy of h_x; step 4 */
    cudaGraphExec_t stages_graph; /**< the stages; steps 3 and 4 */
};

/** Enqueue all batches; their work may still run when it returns.
 *  @param h_out  pinned */
static cudaError_t enqueue_batches(const unsigned char *h_in, float *h_out,
                                   int batches, int size, struct slot *slots);

/** Create the resources of a slot besides its stream and device memory. */
static cudaError_t init_slot(struct slot *slot, int size);

/** Free those resources; members that were not created are NULL. */
static void free_slot(struct slot *slot);

/** Capture the stages into a graph: work that is enqueued during the capture is
 *  recorded, not run. */
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
    if (!err)
        err = CUDA_CHECK(cudaGraphInstantiate(&s->stages_graph, graph, 0));
    if (graph) cudaGraphDestroy(graph);
    return err;
}

/* A non-blocking stream (it does not synchronize with the default stream), and
 * device memory. */
static cudaError_t create_slot(struct slot *s, int size)
{
    const size_t bytes = size * sizeof(float);
    cudaError_t err = CUDA_CHECK(
        cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));

    if (!err) err = CUDA_CHECK(cudaMalloc(&s->d_x, bytes));
    if (!err) err = CUDA_CHECK(cudaMalloc(&s->d_y, bytes));
    return err ? err : init_slot(s, size);
}

static void destroy_slot(struct slot *s)
{
    free_slot(s);
    cudaFree(s->d_x);
    cudaFree(s->d_y);
    if (s->stream) cudaStreamDestroy(s->stream);
}

/* All enqueued work must be complete before anything is freed. */
static cudaError_t run_with_slots(const unsigned char *h_in, float *h_out,
                                  int batches, int size)
{
    struct slot slots[SLOTS] = {};
    cudaError_t err = cudaSuccess;

    for (int s = 0; !err && s < SLOTS; s++) err = create_slot(&slots[s], size);
    if (!err) err = enqueue_batches(h_in, h_out, batches, size, slots);
    const cudaError_t end = CUDA_CHECK(cudaDeviceSynchronize());
    for (int s = 0; s < SLOTS; s++) destroy_slot(&slots[s]);
    return err ? err : end;
}

int streams(const unsigned char *h_in, float *h_out, int batches, int size)
{
    const size_t bytes = (size_t)batches * size * sizeof(float);
    cudaError_t err = cudaSuccess;

    if (bytes == 0) return cudaSuccess;
    /* pinned during the call: asynchronous copies back to the host */
    err = CUDA_CHECK(
        cudaHostRegister(h_out, bytes, cudaHostRegisterDefault));
    if (err) return err;
    err = run_with_slots(h_in, h_out, batches, size);
    const cudaError_t end = CUDA_CHECK(cudaHostUnregister(h_out));
    return err ? err : end;
}

#endif
