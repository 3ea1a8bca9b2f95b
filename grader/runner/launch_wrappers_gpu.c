/* SPDX-License-Identifier: MIT */
/* Launches and symbol copies on a card.  nvcc's launch stubs call
 * cudaLaunchKernel up to CUDA 12, __cudaLaunchKernel from CUDA 13 on. */
#include "launch_wrappers.h"
#include "wrappers.h"

WRAP_LAUNCH(cudaLaunchKernel)
#if CUDART_VERSION >= 13000
WRAP_LAUNCH(__cudaLaunchKernel)
#endif

WRAP_CALL(cudaMemcpyFromSymbol,
          (void *dst, const void *src, size_t n, size_t src_offset,
           enum cudaMemcpyKind kind),
          (dst, src, n, src_offset, kind), device_count_transfer(0, n))
WRAP_CALL(cudaMemcpyFromSymbolAsync,
          (void *dst, const void *src, size_t n, size_t src_offset,
           enum cudaMemcpyKind kind, cudaStream_t stream),
          (dst, src, n, src_offset, kind, stream), device_count_transfer(0, n))
WRAP_CALL(cudaMemcpyToSymbol,
          (const void *dst, const void *src, size_t n, size_t src_offset,
           enum cudaMemcpyKind kind),
          (dst, src, n, src_offset, kind),
          device_count_transfer(kind == cudaMemcpyHostToDevice ? n : 0, 0))
WRAP_CALL(cudaMemcpyToSymbolAsync,
          (const void *dst, const void *src, size_t n, size_t src_offset,
           enum cudaMemcpyKind kind, cudaStream_t stream),
          (dst, src, n, src_offset, kind, stream),
          device_count_transfer(kind == cudaMemcpyHostToDevice ? n : 0, 0))
