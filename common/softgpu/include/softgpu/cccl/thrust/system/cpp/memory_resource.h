/* SPDX-License-Identifier: MIT */
/** @file
 *  Replaces NVIDIA's header of the same name: memory of thrust::device_vector
 *  is managed, so kernels and Thrust's algorithms, which run on the host, can
 *  access it, and the checks know it.
 */
#pragma once

#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>

#include <new>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cpp
{
namespace detail
{

/** cudaMallocManaged() and cudaFree(). */
class softgpu_resource final : public thrust::mr::memory_resource<>
{
public:
    /** Allocate; alignments up to 256 are the runtime's.
     *  Throws std::bad_alloc without memory. */
    void *do_allocate(std::size_t bytes, std::size_t) override
    {
        void *p = nullptr;
        if (cudaMallocManaged(&p, bytes ? bytes : 1, cudaMemAttachGlobal)
            != cudaSuccess)
            throw std::bad_alloc();
        return p;
    }
    /** Free what do_allocate() returned. */
    void do_deallocate(void *p, std::size_t, std::size_t) override
    {
        cudaFree(p);
    }
};

/** Device memory. */
using native_resource =
    thrust::mr::fancy_pointer_resource<softgpu_resource,
                                       thrust::cpp::pointer<void>>;
/** Unified memory: the same. */
using universal_native_resource =
    thrust::mr::fancy_pointer_resource<softgpu_resource,
                                       thrust::cpp::universal_pointer<void>>;

} // namespace detail

using memory_resource = detail::native_resource; /**< of device_vector */
using universal_memory_resource =
    detail::universal_native_resource; /**< of universal_vector */
using universal_host_pinned_memory_resource =
    universal_memory_resource; /**< the same */

} // namespace cpp
} // namespace system
THRUST_NAMESPACE_END
