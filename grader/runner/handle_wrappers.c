/* SPDX-License-Identifier: MIT */
/* Wrappers that count handles (streams, events, graphs), pinned and managed
 * memory, and allocations of device memory.  grader/build/build.c has the list
 * for the linker. */
#include "wrappers.h"

static __thread int wrapper_depth; /* wrapped calls on this thread's stack */

WRAP_CALL(cudaMalloc, (void **p, size_t n), (p, n), device_count_alloc(n))
WRAP_CALL(cudaMallocAsync, (void **p, size_t n, cudaStream_t s), (p, n, s),
          device_count_alloc(n))
WRAP_CALL(cudaMallocPitch,
          (void **p, size_t *pitch, size_t width, size_t height),
          (p, pitch, width, height), device_count_alloc(width * height))
WRAP_CALL(cudaMallocManaged, (void **p, size_t n, unsigned flags),
          (p, n, flags), device_count_host_accessible(n))
WRAP_HANDLE(cudaHostAlloc, (void **p, size_t n, unsigned flags), (p, n, flags),
            1, device_count_host_accessible(n))
WRAP_HANDLE(cudaMallocHost, (void **p, size_t n), (p, n), 1,
            device_count_host_accessible(n))
WRAP_HANDLE(cudaHostRegister, (void *p, size_t n, unsigned flags),
            (p, n, flags), 1, device_count_host_accessible(n))
WRAP_HANDLE(cudaFreeHost, (void *p), (p), p ? -1 : 0, )
WRAP_HANDLE(cudaHostUnregister, (void *p), (p), -1, )

WRAP_HANDLE(cudaStreamCreate, (cudaStream_t *s), (s), 1, )
WRAP_HANDLE(cudaStreamCreateWithFlags, (cudaStream_t *s, unsigned flags),
            (s, flags), 1, )
WRAP_HANDLE(cudaStreamCreateWithPriority,
            (cudaStream_t *s, unsigned flags, int priority),
            (s, flags, priority), 1, )
WRAP_HANDLE(cudaStreamDestroy, (cudaStream_t s), (s), -1, )

WRAP_HANDLE(cudaEventCreate, (cudaEvent_t *e), (e), 1, )
WRAP_HANDLE(cudaEventCreateWithFlags, (cudaEvent_t *e, unsigned flags),
            (e, flags), 1, )
WRAP_HANDLE(cudaEventDestroy, (cudaEvent_t e), (e), -1, )

WRAP_HANDLE(cudaGraphCreate, (cudaGraph_t *g, unsigned flags), (g, flags), 1, )
WRAP_HANDLE(cudaStreamEndCapture, (cudaStream_t s, cudaGraph_t *g), (s, g), 1, )
WRAP_HANDLE(cudaGraphClone, (cudaGraph_t *dst, cudaGraph_t g), (dst, g), 1, )
#if CUDART_VERSION >= 12030 /* it creates no graph, but its end counts one */
WRAP_HANDLE(cudaStreamBeginCaptureToGraph,
            (cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t *dependencies,
             const cudaGraphEdgeData *edges, size_t n,
             enum cudaStreamCaptureMode mode),
            (s, g, dependencies, edges, n, mode), -1, )
#endif
WRAP_HANDLE(cudaGraphDestroy, (cudaGraph_t g), (g), -1, )
WRAP_HANDLE(cudaGraphInstantiate,
            (cudaGraphExec_t *e, cudaGraph_t g, unsigned long long flags),
            (e, g, flags), 1, )
WRAP_HANDLE(cudaGraphInstantiateWithFlags,
            (cudaGraphExec_t *e, cudaGraph_t g, unsigned long long flags),
            (e, g, flags), 1, )
WRAP_HANDLE(cudaGraphInstantiateWithParams,
            (cudaGraphExec_t *e, cudaGraph_t g, cudaGraphInstantiateParams *p),
            (e, g, p), 1, )
WRAP_HANDLE(cudaGraphExecDestroy, (cudaGraphExec_t e), (e), -1, )
WRAP_CALL(cudaGraphLaunch, (cudaGraphExec_t e, cudaStream_t s), (e, s),
          device_count_graph_launch())
