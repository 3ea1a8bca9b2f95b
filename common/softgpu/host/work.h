/* SPDX-License-Identifier: MIT */
/** @file
 *  A piece of work: what a stream queues and a graph's node holds.
 */
#ifndef SOFTGPU_WORK_H
#define SOFTGPU_WORK_H

#include "cuda_runtime_api.h"
#include "device.h"
#include "softgpu/abi.h"

/** What it does. */
enum softgpu_work_kind {
    SOFTGPU_EMPTY,
    SOFTGPU_KERNEL,
    SOFTGPU_COPY,
    SOFTGPU_FILL,
    SOFTGPU_HOST,   /**< a host function */
    SOFTGPU_RECORD, /**< of an event */
    SOFTGPU_WAIT,   /**< for an event's record */
    SOFTGPU_GRAPH,  /**< all nodes of a graph */
    SOFTGPU_FREE,     /**< of an allocation, in stream order */
    SOFTGPU_ALLOCATE, /**< a graph's memory */
    SOFTGPU_RELEASE   /**< of it */
};

/** A kernel and what it is launched with. */
struct softgpu_kernel_work {
    struct softgpu_kernel *kernel;
    void *closure; /**< owned */
    size_t bytes, align;
    dim3 grid, block;
    size_t dynamic; /**< shared bytes */
    int cooperative;
    void **args; /**< owned, with what they point to; NULL if <<<>>> made it */
};

/** depth slices of height rows of width bytes. */
struct softgpu_box {
    char *ptr;
    size_t pitch, slice; /**< bytes from row to row, from slice to slice */
};

/** A copy of a box. */
struct softgpu_copy_work {
    struct softgpu_box dst, src;
    struct cudaExtent extent;
    enum softgpu_engine engine;
    double gbs;          /**< modelled */
    void *staged;        /**< owned: what plain host memory held */
    enum cudaMemcpyKind kind;
};

/** A fill of a box with elements of 1, 2 or 4 bytes. */
struct softgpu_fill_work {
    struct softgpu_box dst;
    struct cudaExtent extent; /**< width in bytes */
    unsigned value, element;
};

/** A call of the host. */
struct softgpu_host_work {
    cudaHostFn_t fn;
    cudaStreamCallback_t callback; /**< the older kind; fn is NULL */
    cudaStream_t stream;           /**< for it */
    void *data;
};

/** A point in a stream: done when nothing up to it is queued. */
struct softgpu_point {
    struct CUstream_st *stream;
    uint64_t number;
};

/** An event; the wait is for the record that was the last then. */
struct softgpu_event_work {
    struct CUevent_st *event; /**< held */
    struct softgpu_point point;
};

/** A piece of work. */
struct softgpu_work {
    enum softgpu_work_kind kind;
    struct softgpu_device *device;
    union {
        struct softgpu_kernel_work kernel;
        struct softgpu_copy_work copy;
        struct softgpu_fill_work fill;
        struct softgpu_host_work host;
        struct softgpu_event_work event;
        struct CUgraph_st *graph; /**< owned */
        struct softgpu_allocation *allocation;
        struct softgpu_reserved *reserved; /**< held */
    };
};

/** Run it; the lock is held on entry and return, and let go meanwhile.
 *
 *  @param[in,out] now  in: earliest begin; out: its end; modelled
 *  @return the failure of a kernel, or cudaSuccess */
cudaError_t softgpu_work_run(struct softgpu_work *work, uint64_t *now);
/** Make a deep copy.  @return 0, or -1 without memory */
int softgpu_work_clone(struct softgpu_work *to,
                       const struct softgpu_work *from);
/** Free what it owns; it becomes empty. */
void softgpu_work_drop(struct softgpu_work *work);

#endif
