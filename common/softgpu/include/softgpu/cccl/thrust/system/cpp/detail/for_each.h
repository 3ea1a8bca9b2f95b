/* SPDX-License-Identifier: MIT */
/** @file
 *  Replaces NVIDIA's header of the same name: for_each() over memory of the
 *  device is a kernel, as on a card, with blocks of 256 threads and two
 *  elements a thread.  A function object thus sees device code's __CUDA_ARCH__,
 *  threadIdx and blockIdx, and its state is a copy of each thread.  generate(),
 *  transform(), fill(), gather() and others are made of it.  Memory of the
 *  host, and calls in device code, are worked off one element after another.
 */
#pragma once

#include <thrust/system/detail/sequential/for_each.h>

#include <thrust/detail/reference_forward_declaration.h>
#include <thrust/device_reference.h>
#include <thrust/iterator/detail/tuple_of_iterator_references.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/cpp/detail/execution_policy.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cpp
{
namespace detail
{

/** Does this reference lead to memory of the device? */
template <typename Reference>
struct is_on_device : std::false_type {};

/** It does. */
template <typename T>
struct is_on_device<thrust::device_reference<T>> : std::true_type {};

/** One of a tuple's does. */
template <typename... T>
struct is_on_device<thrust::tuple<T...>>
    : std::bool_constant<(is_on_device<T>::value || ...)> {};

/** One of a zip_iterator's does. */
template <typename... T>
struct is_on_device<thrust::detail::tuple_of_iterator_references<T...>>
    : std::bool_constant<(is_on_device<T>::value || ...)> {};

/** Does this iterator lead to memory of the device? */
template <typename Iterator>
using leads_to_device = is_on_device<std::remove_cv_t<
    typename thrust::iterator_traits<Iterator>::reference>>;

/** Threads a block, and elements a block, of for_each(). */
enum { for_each_threads = 256, for_each_tile = 512 };

/** Apply f to first[0..n). */
template <typename Iterator, typename Size, typename Function>
__global__ void for_each_kernel(Iterator first, Size n, Function f)
{
    thrust::detail::wrapped_function<Function, void> wrapped{ f };
    Size end = Size(blockIdx.x + 1) * for_each_tile;
    Size i = Size(blockIdx.x) * for_each_tile + threadIdx.x;

    for (end = end < n ? end : n; i < end; i += for_each_threads)
        wrapped(first[i]);
}

/** Apply f to n elements. @return the iterator past them */
template <typename Derived, typename Iterator, typename Size, typename Function>
_CCCL_HOST_DEVICE Iterator for_each_n(execution_policy<Derived> &policy,
                                      Iterator first, Size n, Function f)
{
    namespace loop = thrust::system::detail::sequential;
    if constexpr (leads_to_device<Iterator>::value) {
        if (!softgpu_tls.block) {
            long long count = n;
            if (count > 0)
                for_each_kernel<<<(count - 1) / for_each_tile + 1,
                                  for_each_threads>>>(first, count, f);
            if (cudaError_t error = cudaDeviceSynchronize())
                throw thrust::system_error(error, thrust::cuda_category(),
                                           "for_each");
            return first + n;
        }
    }
    return loop::for_each_n(policy, first, n, f);
}

/** Apply f to the elements from first to last. @return last */
template <typename Derived, typename Iterator, typename Function>
_CCCL_HOST_DEVICE Iterator for_each(execution_policy<Derived> &policy,
                                    Iterator first, Iterator last, Function f)
{
    namespace loop = thrust::system::detail::sequential;
    if constexpr (leads_to_device<Iterator>::value)
        return for_each_n(policy, first, last - first, f);
    else
        return loop::for_each(policy, first, last, f);
}

} // namespace detail
} // namespace cpp
} // namespace system
THRUST_NAMESPACE_END
