/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 14: batches through the GPU.  The contract is in streams.h; load_batch
 *  and run_stages are given in stage.h. */
#include "stage.h"

enum { SLOTS = 3 }; /* copied to the device, computed, copied back */

/** The resources of a batch in flight. */
struct slot {
    cudaStream_t stream;  /**< its work, in order */
    float *d_x, *d_y;     /**< device, one batch each */
    /* TODO 3: pinned memory for a batch, and an event after its copy to the
     * device */
    /* TODO 5: the stages as a graph: cudaGraphExec_t */
};

/** Enqueue all batches; their work may still run when it returns.
 *  @param h_out  pinned */
static cudaError_t enqueue_batches(const unsigned char *h_in, float *h_out,
                                   int batches, int size, struct slot *slots);

/** Create the resources of a slot besides its stream and device memory. */
static cudaError_t init_slot(struct slot *slot, int size);

/** Free those resources; members that were not created are NULL. */
static void free_slot(struct slot *slot);

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
    /* TODO 4: pin h_out during the call: cudaHostRegister, and unregister it */
    err = run_with_slots(h_in, h_out, batches, size);
    return err;
}

static cudaError_t init_slot(struct slot *s, int size)
{
    /* TODO 3: allocate pinned memory and create an event */
    /* TODO 5: capture the stages: cudaStreamBeginCapture, run_stages,
     * cudaStreamEndCapture, cudaGraphInstantiate */
    return cudaSuccess;
}

static void free_slot(struct slot *s)
{
    /* TODO 3, 5: free the resources that init_slot() created */
}

static cudaError_t enqueue_batches(const unsigned char *h_in, float *h_out,
                                   int batches, int size, struct slot *slots)
{
    cudaError_t err = cudaSuccess;

    /* TODO 1: for each batch, in slot b % SLOTS: load it, copy it to the
     * device, run its stages, copy it back; all on the slot's stream */
    /* TODO 2: asynchronous copies: cudaMemcpyAsync */
    /* TODO 3: before the host overwrites a slot's memory: is it copied? */
    err = cudaErrorNotSupported;
    return err;
}
