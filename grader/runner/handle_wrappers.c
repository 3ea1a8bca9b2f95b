/* SPDX-License-Identifier: MIT */
/* Wrappers that list what is created and released (streams, events, graphs,
 * pinned memory) and count allocations of device and managed memory.
 * grader/build/recipe_wraps.c has the list for the linker. */
#include "wrappers.h"

__thread int wrapper_depth;

WRAP_CREATE(cudaMalloc, (void **p, size_t n), (p, n), *p, true,
            device_count_alloc(n))
WRAP_CREATE(cudaMallocAsync, (void **p, size_t n, cudaStream_t s), (p, n, s),
            *p, true, device_count_alloc(n))
WRAP_CREATE(cudaMallocPitch,
            (void **p, size_t *pitch, size_t width, size_t height),
            (p, pitch, width, height), *p, true,
            device_count_alloc(width * height))
WRAP_CREATE(cudaMallocManaged, (void **p, size_t n, unsigned flags),
            (p, n, flags), *p, true, device_count_host_accessible(n))
WRAP_CREATE(cudaHostAlloc, (void **p, size_t n, unsigned flags), (p, n, flags),
            *p, false, device_count_host_accessible(n))
WRAP_CREATE(cudaMallocHost, (void **p, size_t n), (p, n), *p, false,
            device_count_host_accessible(n))
WRAP_CREATE(cudaHostRegister, (void *p, size_t n, unsigned flags),
            (p, n, flags), p, false, device_count_host_accessible(n))
WRAP_RELEASE(cudaFree, (void *p), (p), p)
WRAP_RELEASE(cudaFreeAsync, (void *p, cudaStream_t s), (p, s), p)
WRAP_RELEASE(cudaFreeHost, (void *p), (p), p)
WRAP_RELEASE(cudaHostUnregister, (void *p), (p), p)

WRAP_CREATE(cudaStreamCreate, (cudaStream_t *s), (s), *s, false, )
WRAP_CREATE(cudaStreamCreateWithFlags, (cudaStream_t *s, unsigned flags),
            (s, flags), *s, false, )
WRAP_CREATE(cudaStreamCreateWithPriority,
            (cudaStream_t *s, unsigned flags, int priority),
            (s, flags, priority), *s, false, )
WRAP_RELEASE(cudaStreamDestroy, (cudaStream_t s), (s), s)

WRAP_CREATE(cudaEventCreate, (cudaEvent_t *e), (e), *e, false, )
WRAP_CREATE(cudaEventCreateWithFlags, (cudaEvent_t *e, unsigned flags),
            (e, flags), *e, false, )
WRAP_RELEASE(cudaEventDestroy, (cudaEvent_t e), (e), e)

WRAP_CREATE(cudaGraphCreate, (cudaGraph_t *g, unsigned flags), (g, flags), *g,
            false, )
WRAP_CREATE(cudaGraphClone, (cudaGraph_t *dst, cudaGraph_t g), (dst, g), *dst,
            false, )
WRAP_RELEASE(cudaGraphDestroy, (cudaGraph_t g), (g), g)
#if CUDART_VERSION >= 12000
WRAP_CREATE(cudaGraphInstantiate,
            (cudaGraphExec_t *e, cudaGraph_t g, unsigned long long flags),
            (e, g, flags), *e, false, )
WRAP_CREATE(cudaGraphInstantiateWithParams,
            (cudaGraphExec_t *e, cudaGraph_t g, cudaGraphInstantiateParams *p),
            (e, g, p), *e, false, )
#else /* Debian 12's own Toolkit is 11.8 */
WRAP_CREATE(cudaGraphInstantiate,
            (cudaGraphExec_t *e, cudaGraph_t g, cudaGraphNode_t *node,
             char *log, size_t bytes),
            (e, g, node, log, bytes), *e, false, )
#endif
WRAP_CREATE(cudaGraphInstantiateWithFlags,
            (cudaGraphExec_t *e, cudaGraph_t g, unsigned long long flags),
            (e, g, flags), *e, false, )
WRAP_RELEASE(cudaGraphExecDestroy, (cudaGraphExec_t e), (e), e)
WRAP_CALL(cudaGraphLaunch, (cudaGraphExec_t e, cudaStream_t s), (e, s),
          device_count_graph_launch())

/* It is never made to fail: the stream would be left capturing.  The graph of
 * a capture into a graph of the program is in the list already. */
cudaError_t __real_cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *g);
cudaError_t WRAPPER(cudaStreamEndCapture)(cudaStream_t s, cudaGraph_t *g);
cudaError_t WRAPPER(cudaStreamEndCapture)(cudaStream_t s, cudaGraph_t *g)
{
    const void *site = CALL_SITE;
    const cudaError_t error = __real_cudaStreamEndCapture(s, g);

    if (!error)
        resources_created("cudaStreamEndCapture", *g, site, false);
    return error;
}
