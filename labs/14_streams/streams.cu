/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 14: batches through the GPU.  The contract is in streams.h; load_batch
 *  and run_stages are given in stage.h. */
#include "stage.h"

enum { SLOTS = 3 }; /* one copied up, one computed, one copied down */

/** What one batch needs while it is under way. */
struct slot {
    cudaStream_t stream;  /**< its work, in order */
    float *d_x, *d_y;     /**< device, a batch each */
    /* TODO 3: pinned memory to load a batch into, and an event that tells
     * when it has been copied up */
    /* TODO 5: the stages as a graph: cudaGraphExec_t */
};

/** Queue all batches; what is queued may still run when it returns.
 *  @param h_out  pinned */
static cudaError_t work_through(const unsigned char *h_in, float *h_out,
                                int batches, int size, struct slot *slots);

/** Make what a slot needs besides stream and device memory. */
static cudaError_t furnish(struct slot *slot, int size);

/** Free that; members that were not made are NULL. */
static void clear(struct slot *slot);

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
    /* TODO 4: pin h_out for the call: cudaHostRegister, and its opposite */
    err = with_slots(h_in, h_out, batches, size);
    return err;
}

static cudaError_t furnish(struct slot *s, int size)
{
    /* TODO 3: allocate pinned memory and make an event */
    /* TODO 5: capture the stages: cudaStreamBeginCapture, run_stages,
     * cudaStreamEndCapture, cudaGraphInstantiate */
    return cudaSuccess;
}

static void clear(struct slot *s)
{
    /* TODO 3, 5: free what furnish() made */
}

static cudaError_t work_through(const unsigned char *h_in, float *h_out,
                                int batches, int size, struct slot *slots)
{
    cudaError_t err = cudaSuccess;

    /* TODO 1: for each batch, in slot b % SLOTS: load it, copy it up, run
     * its stages, copy it down; all on the slot's stream */
    /* TODO 2: copies that only queue: cudaMemcpyAsync */
    /* TODO 3: before a slot's memory is loaded again: has it been copied? */
    err = cudaErrorNotSupported;
    return err;
}
