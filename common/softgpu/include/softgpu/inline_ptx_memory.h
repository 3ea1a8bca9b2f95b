/* SPDX-License-Identifier: MIT */
/** @file
 *  Instructions of inline PTX that access memory, synchronize, or read special
 *  registers.  Part of inline_ptx.h.
 */
#ifndef SOFTGPU_INLINE_PTX_MEMORY_H
#define SOFTGPU_INLINE_PTX_MEMORY_H

#include "access_type.h"
#include "async_copy.h"
#include "atomic.h"
#include "inline_ptx.h"
#include "sync.h"
#include "warp.h"

namespace softgpu {
namespace ptx {

/** An address of a program, or one within shared memory. */
template <class V> SOFTGPU_FN char *address(V v, long offset)
{
    const size_t at = get<size_t>(v) + (size_t)offset;
    return (char *)at;
}
/** An address that .shared qualifies: 32 bits are an offset. */
template <class V> SOFTGPU_FN char *shared_address(V v, long offset)
{
    const size_t at = get<size_t>(v) + (size_t)offset;
    return at < ((size_t)1 << 24) ? softgpu_tls.shared + at : (char *)at;
}
/** The generic address of one in the block's shared memory. */
template <class T, class D, class V> SOFTGPU_FN void cvta_shared(D &d, V v)
{
    set<D, T>(d, (T)(size_t)shared_address(v, 0));
}
/** The address in shared memory, an offset, of a generic one. */
template <class T, class D, class V> SOFTGPU_FN void cvta_to_shared(D &d, V v)
{
    set<D, T>(d, (T)__cvta_generic_to_shared(address(v, 0)));
}
/** Load. */
template <class T, class D> SOFTGPU_FN void ld(D &d, const char *from)
{
    __asm__ volatile("" ::: "memory");
    set<D, T>(d, *reinterpret_cast<const T *>(from));
}
/** Before an access of .release: a fence for the device or the block. */
SOFTGPU_FN void release_device() { __atomic_thread_fence(__ATOMIC_RELEASE); }
SOFTGPU_FN void release_block() { __atomic_signal_fence(__ATOMIC_RELEASE); }
/** After one of .acquire. */
SOFTGPU_FN void acquire_device() { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
SOFTGPU_FN void acquire_block() { __atomic_signal_fence(__ATOMIC_ACQUIRE); }
/** Load that may poll; it orders nothing. */
template <class T, class D> SOFTGPU_FN void ld_volatile(D &d, const char *from)
{
    softgpu_spin();
    set<D, T>(d, *reinterpret_cast<const volatile T *>(from));
    __asm__ volatile("" ::: "memory");
}
/** Likewise, by an atomic of a stated order. */
template <class T, class D> SOFTGPU_FN void ld_relaxed(D &d, const char *from)
{
    T value;
    softgpu_spin();
    __atomic_load(reinterpret_cast<const T *>(from), &value, __ATOMIC_RELAXED);
    __asm__ volatile("" ::: "memory");
    set<D, T>(d, value);
}
/** Store that another thread may poll; it orders nothing. */
template <class T, class V> SOFTGPU_FN void st_volatile(char *to, V v)
{
    T value = get<T>(v);
    __asm__ volatile("" ::: "memory");
    __atomic_store(reinterpret_cast<T *>(to), &value, __ATOMIC_RELAXED);
}
/** Load two elements that another thread may store in one access. */
template <class T, class D>
SOFTGPU_FN void ld_volatile_v2(D &d, D &e, const char *from)
{
    typedef typename access<2 * sizeof(T)>::type word;
    softgpu_spin();
    const word all = *reinterpret_cast<const volatile word *>(from);
    T parts[2];
    memcpy(parts, (const void *)&all, sizeof all);
    set<D, T>(d, parts[0]);
    set<D, T>(e, parts[1]);
}
/** Store two elements in one access that another thread may poll. */
template <class T, class V> SOFTGPU_FN void st_volatile_v2(char *to, V v, V w)
{
    typedef typename access<2 * sizeof(T)>::type word;
    const T parts[2] = {get<T>(v), get<T>(w)};
    word all;
    memcpy(&all, parts, sizeof all);
    *reinterpret_cast<volatile word *>(to) = all;
}
/** Load two elements in one access. */
template <class T, class D>
SOFTGPU_FN void ld_v2(D &d, D &e, const char *from)
{
    typedef typename access<2 * sizeof(T)>::type word;
    const word all = *reinterpret_cast<const word *>(from);
    T parts[2];
    memcpy(parts, &all, sizeof all);
    set<D, T>(d, parts[0]);
    set<D, T>(e, parts[1]);
}
/** Load four elements in one access. */
template <class T, class D>
SOFTGPU_FN void ld_v4(D &d, D &e, D &f, D &g, const char *from)
{
    typedef typename access<4 * sizeof(T)>::type word;
    const word all = *reinterpret_cast<const word *>(from);
    T parts[4];
    memcpy(parts, &all, sizeof all);
    set<D, T>(d, parts[0]);
    set<D, T>(e, parts[1]);
    set<D, T>(f, parts[2]);
    set<D, T>(g, parts[3]);
}
/** Store two elements in one access. */
template <class T, class V> SOFTGPU_FN void st_v2(char *to, V v, V w)
{
    typedef typename access<2 * sizeof(T)>::type word;
    const T parts[2] = {get<T>(v), get<T>(w)};
    word all;
    memcpy(&all, parts, sizeof all);
    *reinterpret_cast<word *>(to) = all;
}
/** Store four elements in one access. */
template <class T, class V>
SOFTGPU_FN void st_v4(char *to, V v, V w, V x, V y)
{
    typedef typename access<4 * sizeof(T)>::type word;
    const T parts[4] = {get<T>(v), get<T>(w), get<T>(x), get<T>(y)};
    word all;
    memcpy(&all, parts, sizeof all);
    *reinterpret_cast<word *>(to) = all;
}
/** Store. */
template <class T, class V> SOFTGPU_FN void st(char *to, V v)
{
    *reinterpret_cast<T *>(to) = get<T>(v);
    __asm__ volatile("" ::: "memory");
}
/** @cond: old value of an atomic function of CUDA */
#define SOFTGPU_PTX_ATOM(name, function)                                      \
    template <class T, class D, class V>                                      \
    SOFTGPU_FN void atom_##name(D &d, char *at, V v)                          \
    {                                                                         \
        set<D, T>(d, function(reinterpret_cast<T *>(at), get<T>(v)));         \
    }                                                                         \
    template <class T, class V> SOFTGPU_FN void red_##name(char *at, V v)     \
    {                                                                         \
        function(reinterpret_cast<T *>(at), get<T>(v));                       \
    }
SOFTGPU_PTX_ATOM(add, atomicAdd)
SOFTGPU_PTX_ATOM(min, atomicMin)
SOFTGPU_PTX_ATOM(max, atomicMax)
SOFTGPU_PTX_ATOM(and, atomicAnd)
SOFTGPU_PTX_ATOM(or, atomicOr)
SOFTGPU_PTX_ATOM(xor, atomicXor)
SOFTGPU_PTX_ATOM(exch, atomicExch)
#undef SOFTGPU_PTX_ATOM
/** @endcond */
/** Compare and swap. */
template <class T, class D, class A, class B>
SOFTGPU_FN void atom_cas(D &d, char *at, A a, B b)
{
    set<D, T>(d, atomicCAS(reinterpret_cast<T *>(at), get<T>(a), get<T>(b)));
}

/** @cond: shfl.sync: c has the last lane, and above it the segment */
#define SOFTGPU_PTX_SHFL(name, source, inside)                                \
    template <class T, class D, class A, class B, class C, class M>           \
    SOFTGPU_FN void shfl_sync_##name(D &d, bool &in, A a, B b, C c, M m)      \
    {                                                                         \
        const uint32_t lane = softgpu_lane_id(), n = get<uint32_t>(b) & 31;   \
        const uint32_t clamp = get<uint32_t>(c) & 31,                         \
                       segment = get<uint32_t>(c) >> 8 & 31;                  \
        const uint32_t first = lane & segment;                                \
        const uint32_t last = first | (clamp & ~segment);                     \
        const int at = (int)(source);                                         \
        (void)first, (void)last;                                              \
        in = inside;                                                          \
        set<D, uint32_t>(d, softgpu::shuffle(get<uint32_t>(m),                \
                                             get<uint32_t>(a),                \
                                             in ? (unsigned)at : lane));      \
    }                                                                         \
    template <class T, class D, class A, class B, class C, class M>           \
    SOFTGPU_FN void shfl_sync_##name(D &d, A a, B b, C c, M m)                \
    {                                                                         \
        bool in;                                                              \
        shfl_sync_##name<T>(d, in, a, b, c, m);                               \
    }
SOFTGPU_PTX_SHFL(up, lane - n, at >= (int)last)
SOFTGPU_PTX_SHFL(down, lane + n, at <= (int)last)
SOFTGPU_PTX_SHFL(bfly, lane ^ n, at <= (int)last)
SOFTGPU_PTX_SHFL(idx, first | (n & ~segment), at <= (int)last)
#undef SOFTGPU_PTX_SHFL
/** @endcond */
/** The lanes whose predicate is true. */
template <class T, class D, class M>
SOFTGPU_FN void vote_sync_ballot(D &d, bool predicate, M m)
{
    set<D, uint32_t>(d, __ballot_sync(get<uint32_t>(m), predicate));
}
/** Is the predicate of any lane true? */
template <class T, class D, class M>
SOFTGPU_FN void vote_sync_any(D &d, bool predicate, M m)
{
    d = __any_sync(get<uint32_t>(m), predicate) != 0;
}
/** Is the predicate of all lanes true? */
template <class T, class D, class M>
SOFTGPU_FN void vote_sync_all(D &d, bool predicate, M m)
{
    d = __all_sync(get<uint32_t>(m), predicate) != 0;
}
/** The lanes that execute this together. */
template <class T, class D> SOFTGPU_FN void activemask(D &d)
{
    set<D, uint32_t>(d, __activemask());
}
/** __syncwarp(). */
template <class M> SOFTGPU_FN void bar_warp_sync(M m)
{
    softgpu_warp_sync(get<uint32_t>(m));
}
/** Copy to shared memory when the thread waits; bytes past `valid` are 0. */
SOFTGPU_FN void cp_async(char *to, const char *from, int n, int valid)
{
    /* all or nothing apart: then the lengths are constants */
    if (valid == n) {
        softgpu_copy_async(nullptr, to, from, (size_t)n);
    } else if (valid == 0) {
        softgpu_copy_async(nullptr, to, nullptr, (size_t)n);
    } else {
        softgpu_copy_async(nullptr, to, from, (size_t)valid);
        if (valid < n)
            softgpu_copy_async(nullptr, to + valid, nullptr,
                               (size_t)(n - valid));
    }
}
/** The same for all bytes. */
SOFTGPU_FN void cp_async(char *to, const char *from, int n)
{
    softgpu_copy_async(nullptr, to, from, (size_t)n);
}
/** Close the group of copies. */
SOFTGPU_FN void cp_async_commit() { softgpu_copy_commit(nullptr); }
/** Wait for all groups but the last `keep`. */
SOFTGPU_FN void cp_async_wait(int keep)
{
    softgpu_copy_wait(nullptr, (unsigned)keep);
}
/** Wait for all copies. */
SOFTGPU_FN void cp_async_wait_all()
{
    softgpu_copy_commit(nullptr);
    softgpu_copy_wait(nullptr, 0);
}
/** Fences of each scope. */
SOFTGPU_FN void fence() { __threadfence(); }
SOFTGPU_FN void fence_block() { __threadfence_block(); }
/** Wait some nanoseconds. */
template <class T, class V> SOFTGPU_FN void nanosleep(V v)
{
    __nanosleep(get<uint32_t>(v));
}

/** @cond: special registers */
SOFTGPU_FN uint32_t r_laneid() { return softgpu_lane_id(); }
SOFTGPU_FN uint32_t r_warpid()
{
    const uint32_t i = ::threadIdx.x
                       + ::blockDim.x * (::threadIdx.y
                                         + ::blockDim.y * ::threadIdx.z);
    return i / 32;
}
SOFTGPU_FN uint32_t r_tid_x() { return ::threadIdx.x; }
SOFTGPU_FN uint32_t r_tid_y() { return ::threadIdx.y; }
SOFTGPU_FN uint32_t r_tid_z() { return ::threadIdx.z; }
SOFTGPU_FN uint32_t r_ntid_x() { return ::blockDim.x; }
SOFTGPU_FN uint32_t r_ntid_y() { return ::blockDim.y; }
SOFTGPU_FN uint32_t r_ntid_z() { return ::blockDim.z; }
SOFTGPU_FN uint32_t r_ctaid_x() { return ::blockIdx.x; }
SOFTGPU_FN uint32_t r_ctaid_y() { return ::blockIdx.y; }
SOFTGPU_FN uint32_t r_ctaid_z() { return ::blockIdx.z; }
SOFTGPU_FN uint32_t r_nctaid_x() { return ::gridDim.x; }
SOFTGPU_FN uint32_t r_nctaid_y() { return ::gridDim.y; }
SOFTGPU_FN uint32_t r_nctaid_z() { return ::gridDim.z; }
SOFTGPU_FN uint32_t r_lanemask_eq() { return 1u << softgpu_lane_id(); }
SOFTGPU_FN uint32_t r_lanemask_lt() { return r_lanemask_eq() - 1; }
SOFTGPU_FN uint32_t r_lanemask_le() { return 2 * r_lanemask_eq() - 1; }
SOFTGPU_FN uint32_t r_lanemask_gt() { return ~r_lanemask_le(); }
SOFTGPU_FN uint32_t r_lanemask_ge() { return ~r_lanemask_lt(); }
SOFTGPU_FN uint32_t r_clock() { return (uint32_t)softgpu_clock(); }
SOFTGPU_FN uint64_t r_clock64() { return (uint64_t)softgpu_clock(); }
SOFTGPU_FN uint64_t r_globaltimer() { return softgpu_globaltimer(); }
/** @endcond */

} // namespace ptx
} // namespace softgpu

#endif
