/* SPDX-License-Identifier: MIT */
/** @file
 *  Replaces NVIDIA's header of the same name.  On the software GPU Thrust's
 *  device system is its C++ one: algorithms run on the calling thread.  Every
 *  algorithm and every access through a reference casts its policy to the
 *  derived type first: there the kernels that were launched before are waited
 *  for, as the same stream would make it wait on a card, and the memory of
 *  cudaMalloc() is opened to the host.
 */
#pragma once

#include <thrust/detail/config.h>

THRUST_NAMESPACE_BEGIN

namespace detail
{

/** Wait for earlier kernels, open device memory; nothing in device code. */
constexpr void softgpu_begin_algorithm()
{
    if (!__builtin_is_constant_evaluated() && !softgpu_tls.block)
        softgpu_begin_host_algorithm();
}

/** Base of all policies, without a type. */
struct execution_policy_marker {};

/** A policy, which knows its derived type; entry points take this one, and the
 *  implementations thrust::execution_policy, so neither calls itself. */
template <typename Derived>
struct execution_policy_base : execution_policy_marker {};

/** The same policy, not const. */
template <typename Derived>
constexpr execution_policy_base<Derived> &
strip_const(const execution_policy_base<Derived> &policy)
{
    return const_cast<execution_policy_base<Derived> &>(policy);
}

/** The policy as its own type: an algorithm begins. */
template <typename Derived>
constexpr Derived &derived_cast(execution_policy_base<Derived> &policy)
{
    softgpu_begin_algorithm();
    return static_cast<Derived &>(policy);
}

/** The same for a const one. */
template <typename Derived>
constexpr const Derived &
derived_cast(const execution_policy_base<Derived> &policy)
{
    softgpu_begin_algorithm();
    return static_cast<const Derived &>(policy);
}

} // namespace detail

/** Base of the policies of systems. */
template <typename Derived>
struct execution_policy : detail::execution_policy_base<Derived> {};

THRUST_NAMESPACE_END

/* On a card every algorithm's header has these, through CUDA's system. */
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
