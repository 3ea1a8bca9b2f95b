/* SPDX-License-Identifier: MIT */
/** @file
 *  cuda::atomic, cuda::atomic_ref and their cuda::std forms, by the compiler's
 *  atomics.  Every scope is the system scope; every operation in a kernel can
 *  yield, so that a spin loop lets other threads run.
 */
#ifndef SOFTGPU_CUDA_ATOMIC_H
#define SOFTGPU_CUDA_ATOMIC_H

#include "softgpu/push_macros.h"
#include <atomic>
#include <type_traits>

#include "softgpu/abi.h"

namespace cuda {

/** The threads for which an operation is ordered. */
enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

namespace std {

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

} // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace details {

/** Yield every now and then in device code; nothing on the host. */
inline void yield_in_kernel()
{
    if (softgpu_tls.block)
        softgpu_spin();
}

/** The operations of both classes; Self::address() is the object. */
template <class Self, class T> class atomic_base {
    static_assert(::std::is_trivially_copyable<T>::value,
                  "an atomic's type must be trivially copyable");

public:
    using value_type = T;
    using order = memory_order;

    static constexpr bool is_always_lock_free = sizeof(T) <= 8;
    bool is_lock_free() const { return is_always_lock_free; }

    T load(order o = memory_order_seq_cst) const
    {
        T value;
        yield_in_kernel();
        __atomic_load(place(), &value, static_cast<int>(o));
        return value;
    }
    void store(T value, order o = memory_order_seq_cst) const
    {
        __atomic_store(place(), &value, static_cast<int>(o));
        yield_in_kernel();
    }
    T exchange(T value, order o = memory_order_seq_cst) const
    {
        T old;
        yield_in_kernel();
        __atomic_exchange(place(), &value, &old, static_cast<int>(o));
        return old;
    }
    bool compare_exchange_strong(T &expected, T wanted,
                                 order = memory_order_seq_cst,
                                 order = memory_order_seq_cst) const
    {
        yield_in_kernel();
        return __atomic_compare_exchange(place(), &expected, &wanted, false,
                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    bool compare_exchange_weak(T &expected, T wanted,
                               order success = memory_order_seq_cst,
                               order failure = memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, wanted, success, failure);
    }

    T fetch_add(T n, order = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old + n); });
    }
    T fetch_sub(T n, order = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old - n); });
    }
    T fetch_and(T n, order = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old & n); });
    }
    T fetch_or(T n, order = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old | n); });
    }
    T fetch_xor(T n, order = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old ^ n); });
    }
    T fetch_min(T n, order = memory_order_seq_cst) const
    {
        return update([n](T old) { return n < old ? n : old; });
    }
    T fetch_max(T n, order = memory_order_seq_cst) const
    {
        return update([n](T old) { return old < n ? n : old; });
    }

    /** Wait until the value is not `old`. */
    void wait(T old, order o = memory_order_seq_cst) const
    {
        while (load(o) == old)
            if (softgpu_tls.block)
                softgpu_yield();
    }
    void notify_one() const {}
    void notify_all() const {}

    operator T() const { return load(); }
    T operator++() const { return T(fetch_add(1) + 1); }
    T operator++(int) const { return fetch_add(1); }
    T operator--() const { return T(fetch_sub(1) - 1); }
    T operator--(int) const { return fetch_sub(1); }
    T operator+=(T n) const { return T(fetch_add(n) + n); }
    T operator-=(T n) const { return T(fetch_sub(n) - n); }
    T operator&=(T n) const { return T(fetch_and(n) & n); }
    T operator|=(T n) const { return T(fetch_or(n) | n); }
    T operator^=(T n) const { return T(fetch_xor(n) ^ n); }

private:
    T *place() const { return static_cast<const Self *>(this)->address(); }

    template <class F> T update(F f) const
    {
        T old = load(memory_order_relaxed);
        while (!compare_exchange_strong(old, f(old)))
            continue;
        return old;
    }
};

} // namespace details

/** An object that threads of the scope can access concurrently. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public details::atomic_base<atomic<T, Scope>, T> {
public:
    atomic() = default;
    constexpr atomic(T value) : value_(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    T operator=(T value)
    {
        this->store(value);
        return value;
    }

    T *address() const { return &value_; }

private:
    mutable T value_ __attribute__((aligned(sizeof(T)))); /* size: 2^n */
};

/** Atomic access to a plain object. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public details::atomic_base<atomic_ref<T, Scope>, T> {
public:
    static constexpr size_t required_alignment = sizeof(T);

    explicit atomic_ref(T &object) : object_(&object) {}
    atomic_ref(const atomic_ref &) = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    T operator=(T value) const
    {
        this->store(value);
        return value;
    }

    T *address() const { return object_; }

private:
    T *object_;
};

/** Memory fence. */
inline void atomic_thread_fence(memory_order o,
                                thread_scope = thread_scope_system)
{
    __atomic_thread_fence(static_cast<int>(o));
    details::yield_in_kernel();
}

namespace std {

template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_bool = atomic<bool>;

} // namespace std
} // namespace cuda

#include "softgpu/pop_macros.h"

#endif
