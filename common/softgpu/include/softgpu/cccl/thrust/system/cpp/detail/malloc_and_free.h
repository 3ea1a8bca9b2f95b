/* SPDX-License-Identifier: MIT */
/** @file
 *  Replaces NVIDIA's header of the same name: thrust::device_malloc() and
 *  temporary buffers are managed memory, as that of device_vector.
 */
#pragma once

#include <thrust/detail/config.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/cpp/detail/execution_policy.h>

#include <cstdlib>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cpp
{
namespace detail
{

/** Allocate bytes; in device code from the device's heap.
 *  @return NULL without memory */
template <typename Derived>
inline void *malloc(execution_policy<Derived> &, std::size_t bytes)
{
    void *p = nullptr;
    if (softgpu_tls.block)
        return std::malloc(bytes);
    return cudaMallocManaged(&p, bytes ? bytes : 1, cudaMemAttachGlobal)
                   == cudaSuccess
               ? p
               : nullptr;
}

/** Free what malloc() returned; NULL is ignored. */
template <typename Derived, typename Pointer>
inline void free(execution_policy<Derived> &, Pointer pointer)
{
    void *p = (void *)thrust::raw_pointer_cast(pointer);
    if (softgpu_tls.block)
        std::free(p);
    else
        cudaFree(p);
}

} // namespace detail
} // namespace cpp
} // namespace system
THRUST_NAMESPACE_END
