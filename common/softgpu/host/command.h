/* SPDX-License-Identifier: MIT */
/** @file
 *  A command: one operation of a stream (kernel, copy, fill, host function,
 *  event, graph), as a stream queues it and a graph's node contains it.
 */
#ifndef SOFTGPU_COMMAND_H
#define SOFTGPU_COMMAND_H

#include "common/softgpu/core/core.h"
#include "cuda_runtime_api.h"
#include "device.h"
#include "softgpu/abi.h"

/** Kinds of commands. */
enum softgpu_command_kind {
    SOFTGPU_EMPTY,
    SOFTGPU_KERNEL,
    SOFTGPU_COPY,
    SOFTGPU_FILL,
    SOFTGPU_HOST,         /**< call a host function */
    SOFTGPU_EVENT_RECORD, /**< record an event */
    SOFTGPU_EVENT_WAIT,   /**< wait for an event's record */
    SOFTGPU_GRAPH,        /**< run all nodes of a graph */
    SOFTGPU_FREE,         /**< cudaFreeAsync() */
    SOFTGPU_GRAPH_ALLOC,  /**< memory allocation node of a graph */
    SOFTGPU_GRAPH_FREE    /**< memory free node of a graph */
};

/** A kernel launch. */
struct softgpu_kernel_command {
    struct softgpu_kernel *kernel;
    void *closure;       /**< owned: the arguments, as a lambda's bytes */
    size_t bytes, align; /**< of the closure */
    dim3 grid, block;
    size_t dynamic; /**< bytes of dynamic shared memory */
    int cooperative;
    int depth;   /**< launches by kernels that led to it: device_launch.h */
    struct softgpu_launch_point launched_at; /**< if there are any */
    void **args; /**< owned, with the arguments they point to; NULL for a
                      launch by <<<>>> */
};

/** A 3D region of memory: slices of rows of bytes; its size is a cudaExtent. */
struct softgpu_box {
    char *ptr;
    size_t pitch, slice; /**< stride of rows and of slices in bytes */
};

/** A copy of a 3D region. */
struct softgpu_copy_command {
    struct softgpu_box dst, src;
    struct cudaExtent extent;
    enum softgpu_engine engine;
    double gbs;          /**< modeled bandwidth, GB/s */
    void *staged;        /**< owned: copy of a pageable source, or NULL */
    enum cudaMemcpyKind kind;
    int to_host, from_host; /**< memory of the host process: remote.h */
};

/** A fill of a 3D region with elements of 1, 2 or 4 bytes. */
struct softgpu_fill_command {
    struct softgpu_box dst;
    struct cudaExtent extent; /**< width in bytes */
    unsigned value, element;
};

/** A call of a host function. */
struct softgpu_host_command {
    cudaHostFn_t fn;
    cudaStreamCallback_t callback; /**< of cudaStreamAddCallback(), if no fn */
    cudaStream_t stream;           /**< argument of the callback */
    void *data;
};

/** A position in a stream: reached when all commands up to `number` have
 *  run. */
struct softgpu_stream_position {
    struct CUstream_st *stream;
    uint64_t number;
};

/** An event; a wait is for the record that was the last when it was queued. */
struct softgpu_event_command {
    struct CUevent_st *event; /**< holds a reference */
    struct softgpu_stream_position position;
    uint64_t shared_record; /**< of an event between processes: number of the
                                 record; of a wait for this process's, 0 */
};

/** Which graphs a conditional node runs. */
enum softgpu_choice {
    SOFTGPU_IF,     /**< its graph once, if the condition is not 0 */
    SOFTGPU_WHILE,  /**< its graph, as long as the condition is not 0 */
    SOFTGPU_ELSE,   /**< of two child graphs the first one if the condition is
                         not 0, else the second one */
    SOFTGPU_SWITCH  /**< the child graph whose number is the condition */
};

/** A command. */
struct softgpu_command {
    enum softgpu_command_kind kind;
    struct softgpu_device *device;
    union {
        struct softgpu_kernel_command kernel;
        struct softgpu_copy_command copy;
        struct softgpu_fill_command fill;
        struct softgpu_host_command host;
        struct softgpu_event_command event;
        struct CUgraph_st *graph; /**< owned */
        struct softgpu_allocation *allocation;
        struct softgpu_graph_memory *graph_memory; /**< holds a reference */
    };
    struct softgpu_condition *condition; /**< of a conditional node, or NULL */
    enum softgpu_choice choice; /**< what its graph is to the condition */
};

/** Run a command.  The lock is held on entry and return, and released while
 *  the command runs.
 *
 *  @param[in,out] now  modeled time, ns: in the earliest start, out the end
 *  @return the error of a kernel, or cudaSuccess */
cudaError_t softgpu_command_run(struct softgpu_command *command, uint64_t *now);
/** Make a deep copy of a command.  @return 0, or -1 without memory */
int softgpu_command_clone(struct softgpu_command *to,
                          const struct softgpu_command *from);
/** Free what a command owns; its kind becomes SOFTGPU_EMPTY. */
void softgpu_command_destroy(struct softgpu_command *command);

#endif
