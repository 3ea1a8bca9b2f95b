/* SPDX-License-Identifier: MIT */
/** @file
 *  C++ overloads of the runtime API: typed allocation, symbols, signatures of
 *  CUDA 13.0.
 */
#ifndef SOFTGPU_RUNTIME_OVERLOADS_H
#define SOFTGPU_RUNTIME_OVERLOADS_H

#include <cstdlib>

#include "cuda_runtime_api.h"
#include "softgpu/symbol.h"

/** Record an error as the calling thread's last error.  @return the error */
extern "C" cudaError_t softgpu_record_error(cudaError_t error);

namespace softgpu {
/** cudaMalloc() in device code: memory of malloc().  The address goes through
 *  an empty asm, so that the compiler keeps an allocation without a use. */
template <class T>
__attribute__((always_inline)) inline cudaError_t device_malloc(T **ptr,
                                                                size_t bytes)
{
    void *p = std::malloc(bytes);
    __asm__ volatile("" : "+r"(p));
    *ptr = (T *)p;
    return p || !bytes ? cudaSuccess
                       : softgpu_record_error(cudaErrorMemoryAllocation);
}

/** cudaFree() in device code. */
__attribute__((always_inline)) inline cudaError_t device_free(void *ptr)
{
    std::free(ptr);
    return cudaSuccess;
}
} // namespace softgpu

/** cudaMalloc for a typed pointer. */
template <class T> inline cudaError_t cudaMalloc(T **ptr, size_t bytes)
{
    return ::cudaMalloc((void **)(void *)ptr, bytes);
}

/** cudaHostAlloc() for a typed pointer, by the name cudaMallocHost(). */
template <class T>
inline cudaError_t cudaMallocHost(T **ptr, size_t bytes,
                                  unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)ptr, bytes, flags);
}

/** cudaMallocHost with flags. */
inline cudaError_t cudaMallocHost(void **ptr, size_t bytes, unsigned int flags)
{
    return ::cudaHostAlloc(ptr, bytes, flags);
}

/** cudaHostAlloc for a typed pointer. */
template <class T>
inline cudaError_t cudaHostAlloc(T **ptr, size_t bytes, unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)ptr, bytes, flags);
}

/** cudaHostGetDevicePointer for a typed pointer. */
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **device, void *host,
                                            unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}

/** cudaMallocManaged for a typed pointer. */
template <class T>
inline cudaError_t cudaMallocManaged(T **ptr, size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)ptr, bytes, flags);
}

/** cudaMallocPitch for a typed pointer. */
template <class T>
inline cudaError_t cudaMallocPitch(T **ptr, size_t *pitch, size_t width,
                                   size_t height)
{
    return ::cudaMallocPitch((void **)(void *)ptr, pitch, width, height);
}

/** cudaMallocAsync for a typed pointer. */
template <class T>
inline cudaError_t cudaMallocAsync(T **ptr, size_t bytes, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)ptr, bytes, stream);
}

/** cudaMallocFromPoolAsync for a typed pointer. */
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t bytes,
                                           cudaMemPool_t pool,
                                           cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, bytes, pool,
                                     stream);
}

/** cudaMallocAsync from a pool. */
template <class T>
inline cudaError_t cudaMallocAsync(T **ptr, size_t bytes, cudaMemPool_t pool,
                                   cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, bytes, pool,
                                     stream);
}

/** cudaStreamAttachMemAsync for a typed pointer. */
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(
    cudaStream_t stream, T *ptr, size_t bytes = 0,
    unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)ptr, bytes, flags);
}

/** cudaEventCreateWithFlags(), by the name cudaEventCreate(). */
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

/** Signature of CUDA 13.0: with a location; flags must be 0. */
inline cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes,
                                        cudaMemLocation location,
                                        unsigned int flags,
                                        cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync_v2(ptr, bytes, location, flags, stream);
}

/** Signature of CUDA 13.0: with a location. */
inline cudaError_t cudaMemAdvise(const void *ptr, size_t bytes,
                                 cudaMemoryAdvise advice,
                                 cudaMemLocation location)
{
    return ::cudaMemAdvise_v2(ptr, bytes, advice, location);
}

/** Address of a __device__ or __constant__ variable. */
template <class T, class S>
inline cudaError_t cudaGetSymbolAddress(T **ptr, const S &symbol)
{
    return ::softgpu_symbol_address((void **)(void *)ptr,
                                    (const void *)&symbol,
                                    softgpu::symbol_bytes(symbol));
}

/** Bytes of such a variable. */
template <class S>
inline cudaError_t cudaGetSymbolSize(size_t *size, const S &symbol)
{
    return ::softgpu_symbol_size(size, (const void *)&symbol,
                                 softgpu::symbol_bytes(symbol));
}

/** Copy to such a variable, at a byte offset. */
template <class S>
inline cudaError_t cudaMemcpyToSymbol(
    const S &symbol, const void *src, size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    const softgpu_symbol_copy copy = {
        (void *)&symbol, softgpu::symbol_bytes(symbol), (void *)src, bytes,
        offset, kind, 1};
    return ::softgpu_copy_symbol(&copy);
}

/** The same, enqueued on a stream. */
template <class S>
inline cudaError_t cudaMemcpyToSymbolAsync(
    const S &symbol, const void *src, size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    const softgpu_symbol_copy copy = {
        (void *)&symbol, softgpu::symbol_bytes(symbol), (void *)src, bytes,
        offset, kind, 1};
    return ::softgpu_copy_symbol_async(&copy, stream);
}

/** Copy from such a variable, at a byte offset. */
template <class S>
inline cudaError_t cudaMemcpyFromSymbol(
    void *dst, const S &symbol, size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    const softgpu_symbol_copy copy = {
        (void *)&symbol, softgpu::symbol_bytes(symbol), dst, bytes, offset,
        kind, 0};
    return ::softgpu_copy_symbol(&copy);
}

/** The same, enqueued on a stream. */
template <class S>
inline cudaError_t cudaMemcpyFromSymbolAsync(
    void *dst, const S &symbol, size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    const softgpu_symbol_copy copy = {
        (void *)&symbol, softgpu::symbol_bytes(symbol), dst, bytes, offset,
        kind, 0};
    return ::softgpu_copy_symbol_async(&copy, stream);
}

#endif
