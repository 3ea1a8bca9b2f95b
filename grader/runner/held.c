/* SPDX-License-Identifier: MIT */
/* What must be given back besides device memory, memory that host and device
 * share, and what is taken of the device's.  grader/build.c has the list for
 * the linker. */
#include "traffic.h"

static __thread int within; /* calls that are under way */

WRAP_CALL(cudaMalloc, (void **p, size_t n), (p, n), device_took(n))
WRAP_CALL(cudaMallocAsync, (void **p, size_t n, cudaStream_t s), (p, n, s),
          device_took(n))
WRAP_CALL(cudaMallocPitch, (void **p, size_t *pitch, size_t w, size_t h),
          (p, pitch, w, h), device_took(w * h))
WRAP_CALL(cudaMallocManaged, (void **p, size_t n, unsigned flags),
          (p, n, flags), device_shared(n))
WRAP_HOLD(cudaHostAlloc, (void **p, size_t n, unsigned flags), (p, n, flags),
          1, device_shared(n))
WRAP_HOLD(cudaMallocHost, (void **p, size_t n), (p, n), 1, device_shared(n))
WRAP_HOLD(cudaHostRegister, (void *p, size_t n, unsigned flags),
          (p, n, flags), 1, device_shared(n))
WRAP_HOLD(cudaFreeHost, (void *p), (p), p ? -1 : 0, )
WRAP_HOLD(cudaHostUnregister, (void *p), (p), -1, )

WRAP_HOLD(cudaStreamCreate, (cudaStream_t *s), (s), 1, )
WRAP_HOLD(cudaStreamCreateWithFlags, (cudaStream_t *s, unsigned flags),
          (s, flags), 1, )
WRAP_HOLD(cudaStreamCreateWithPriority,
          (cudaStream_t *s, unsigned flags, int priority),
          (s, flags, priority), 1, )
WRAP_HOLD(cudaStreamDestroy, (cudaStream_t s), (s), -1, )

WRAP_HOLD(cudaEventCreate, (cudaEvent_t *e), (e), 1, )
WRAP_HOLD(cudaEventCreateWithFlags, (cudaEvent_t *e, unsigned flags),
          (e, flags), 1, )
WRAP_HOLD(cudaEventDestroy, (cudaEvent_t e), (e), -1, )

WRAP_HOLD(cudaGraphCreate, (cudaGraph_t *g, unsigned flags), (g, flags), 1, )
WRAP_HOLD(cudaStreamEndCapture, (cudaStream_t s, cudaGraph_t *g), (s, g), 1, )
WRAP_HOLD(cudaGraphClone, (cudaGraph_t *to, cudaGraph_t g), (to, g), 1, )
#if CUDART_VERSION >= 12030 /* no graph of its own: its end counts one more */
WRAP_HOLD(cudaStreamBeginCaptureToGraph,
          (cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t *after,
           const cudaGraphEdgeData *edges, size_t n,
           enum cudaStreamCaptureMode mode),
          (s, g, after, edges, n, mode), -1, )
#endif
WRAP_HOLD(cudaGraphDestroy, (cudaGraph_t g), (g), -1, )
WRAP_HOLD(cudaGraphInstantiate,
          (cudaGraphExec_t *e, cudaGraph_t g, unsigned long long flags),
          (e, g, flags), 1, )
WRAP_HOLD(cudaGraphInstantiateWithFlags,
          (cudaGraphExec_t *e, cudaGraph_t g, unsigned long long flags),
          (e, g, flags), 1, )
WRAP_HOLD(cudaGraphInstantiateWithParams,
          (cudaGraphExec_t *e, cudaGraph_t g, cudaGraphInstantiateParams *p),
          (e, g, p), 1, )
WRAP_HOLD(cudaGraphExecDestroy, (cudaGraphExec_t e), (e), -1, )
WRAP_CALL(cudaGraphLaunch, (cudaGraphExec_t e, cudaStream_t s), (e, s),
          device_replayed())
