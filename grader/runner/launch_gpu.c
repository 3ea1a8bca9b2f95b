/* SPDX-License-Identifier: MIT */
/* Launches on the gpu device.  nvcc's stubs call cudaLaunchKernel up to CUDA
 * 12, __cudaLaunchKernel from CUDA 13 on.  And copies of variables. */
#include "launch.h"
#include "traffic.h"

WRAP_LAUNCH(cudaLaunchKernel)
#if CUDART_VERSION >= 13000
WRAP_LAUNCH(__cudaLaunchKernel)
#endif

WRAP_CALL(cudaMemcpyFromSymbol,
          (void *to, const void *from, size_t n, size_t at,
           enum cudaMemcpyKind kind),
          (to, from, n, at, kind), device_moved(0, n))
WRAP_CALL(cudaMemcpyFromSymbolAsync,
          (void *to, const void *from, size_t n, size_t at,
           enum cudaMemcpyKind kind, cudaStream_t stream),
          (to, from, n, at, kind, stream), device_moved(0, n))
WRAP_CALL(cudaMemcpyToSymbol,
          (const void *to, const void *from, size_t n, size_t at,
           enum cudaMemcpyKind kind),
          (to, from, n, at, kind),
          device_moved(kind == cudaMemcpyHostToDevice ? n : 0, 0))
WRAP_CALL(cudaMemcpyToSymbolAsync,
          (const void *to, const void *from, size_t n, size_t at,
           enum cudaMemcpyKind kind, cudaStream_t stream),
          (to, from, n, at, kind, stream),
          device_moved(kind == cudaMemcpyHostToDevice ? n : 0, 0))
