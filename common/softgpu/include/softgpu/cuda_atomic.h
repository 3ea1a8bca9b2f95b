/* SPDX-License-Identifier: MIT */
/** @file
 *  cuda::atomic, cuda::atomic_ref and their cuda::std forms, by the compiler's
 *  atomics.  Every scope is the system scope, but for the race check, to which
 *  a narrow scope orders no other block; every operation in a kernel can yield,
 *  so that a spin loop lets other threads run.
 */
#ifndef SOFTGPU_CUDA_ATOMIC_H
#define SOFTGPU_CUDA_ATOMIC_H

#include "softgpu/push_macros.h"
#include <atomic>
#include <type_traits>

#include "softgpu/abi.h"
#include "softgpu/atomic.h"

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

/** Does the scope take in other blocks? */
constexpr bool is_wide(thread_scope scope)
{
    return scope == thread_scope_system || scope == thread_scope_device;
}

/** Does an operation of this order release what precedes it? */
constexpr bool is_release(memory_order o)
{
    return o == memory_order_release || o == memory_order_acq_rel
           || o == memory_order_seq_cst;
}

/** Order a narrow operation for the threads of the block.
 *  @return the order for all others */
template <thread_scope Scope> inline int begin_order(memory_order o)
{
#ifdef SOFTGPU_INSTRUMENTED
    if (!is_wide(Scope)) {
        if (is_release(o))
            __atomic_signal_fence(__ATOMIC_RELEASE);
        return __ATOMIC_RELAXED;
    }
#endif
    return static_cast<int>(o);
}

/** Does an operation of this order acquire what was released? */
constexpr bool is_acquire(memory_order o)
{
    return o != memory_order_relaxed && o != memory_order_release;
}

/** The end of a narrow operation. */
template <thread_scope Scope> inline void end_order(memory_order o)
{
#ifdef SOFTGPU_INSTRUMENTED
    if (!is_wide(Scope) && is_acquire(o))
        __atomic_signal_fence(__ATOMIC_ACQUIRE);
#else
    (void)o;
#endif
}

/** The order of a load that fails to swap. */
constexpr memory_order load_order(memory_order o)
{
    return o == memory_order_release   ? memory_order_relaxed
           : o == memory_order_acq_rel ? memory_order_acquire
                                       : o;
}

/** Memory fence for the threads of a scope. */
inline void fence(memory_order o, thread_scope scope)
{
    if (is_wide(scope))
        __atomic_thread_fence(static_cast<int>(o));
    else
        __atomic_signal_fence(static_cast<int>(o));
}

/** The operations of both classes; Self::address() is the object. */
template <class Self, class T, thread_scope Scope> class atomic_base {
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
        __atomic_load(place(), &value, begin_order<Scope>(o));
        end_order<Scope>(o);
        return value;
    }
    void store(T value, order o = memory_order_seq_cst) const
    {
        __atomic_store(place(), &value, begin_order<Scope>(o));
        yield_in_kernel();
    }
    T exchange(T value, order o = memory_order_seq_cst) const
    {
        T old;
        yield_in_kernel();
        __atomic_exchange(place(), &value, &old, begin_order<Scope>(o));
        end_order<Scope>(o);
        return old;
    }
    bool compare_exchange_strong(T &expected, T wanted, order success,
                                 order failure) const
    {
        yield_in_kernel();
        const int o = begin_order<Scope>(success);
        const bool swapped = __atomic_compare_exchange(
            place(), &expected, &wanted, false, o, __ATOMIC_RELAXED);
        end_order<Scope>(success);
        if (!swapped && is_acquire(failure) && !is_acquire(success))
            fence(memory_order_acquire, Scope);
        return swapped;
    }
    bool compare_exchange_strong(T &expected, T wanted,
                                 order o = memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, wanted, o, load_order(o));
    }
    bool compare_exchange_weak(T &expected, T wanted, order success,
                               order failure) const
    {
        return compare_exchange_strong(expected, wanted, success, failure);
    }
    bool compare_exchange_weak(T &expected, T wanted,
                               order o = memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, wanted, o);
    }

    T fetch_add(T n, order o = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old + n); }, o);
    }
    T fetch_sub(T n, order o = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old - n); }, o);
    }
    T fetch_and(T n, order o = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old & n); }, o);
    }
    T fetch_or(T n, order o = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old | n); }, o);
    }
    T fetch_xor(T n, order o = memory_order_seq_cst) const
    {
        return update([n](T old) { return T(old ^ n); }, o);
    }
    T fetch_min(T n, order o = memory_order_seq_cst) const
    {
        return update([n](T old) { return n < old ? n : old; }, o);
    }
    T fetch_max(T n, order o = memory_order_seq_cst) const
    {
        return update([n](T old) { return old < n ? n : old; }, o);
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

#ifdef SOFTGPU_INSTRUMENTED
    /** A relaxed update between fences: the checks see one atomic access. */
    template <class F> T update_in_one_access(F f, int o) const
    {
        if (is_release(static_cast<memory_order>(o)))
            __atomic_thread_fence(__ATOMIC_RELEASE);
        const T old = softgpu::atomic_update(
            place(), f,
            static_cast<softgpu_atomic_kind>(
                SOFTGPU_ATOMIC_UPDATE | SOFTGPU_ATOMIC_STATED
                | (is_wide(Scope) ? 0 : SOFTGPU_ATOMIC_BLOCK)));
        if (o != __ATOMIC_RELAXED && o != __ATOMIC_RELEASE)
            __atomic_thread_fence(__ATOMIC_ACQUIRE);
        return old;
    }
#endif

    template <class F> T update(F f, order o) const
    {
#ifdef SOFTGPU_INSTRUMENTED
        if constexpr (sizeof(T) > 1) {
            const T old = update_in_one_access(f, begin_order<Scope>(o));
            end_order<Scope>(o);
            return old;
        }
#endif
        T old = load(memory_order_relaxed);
        while (!compare_exchange_strong(old, f(old), o))
            continue;
        return old;
    }
};

} // namespace details

/** An object that threads of the scope can access concurrently. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public details::atomic_base<atomic<T, Scope>, T, Scope> {
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
class atomic_ref
    : public details::atomic_base<atomic_ref<T, Scope>, T, Scope> {
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
                                thread_scope scope = thread_scope_system)
{
    details::fence(o, scope);
    details::yield_in_kernel();
}

/** A flag that a thread sets and learns whether it was set. */
template <thread_scope Scope = thread_scope_system> class atomic_flag {
public:
    constexpr atomic_flag(bool set = false) : set_(set) {}
    atomic_flag(const atomic_flag &) = delete;
    atomic_flag &operator=(const atomic_flag &) = delete;

    bool test(memory_order o = memory_order_seq_cst) const
    {
        return set_.load(o);
    }
    bool test_and_set(memory_order o = memory_order_seq_cst)
    {
        return set_.exchange(1, o);
    }
    void clear(memory_order o = memory_order_seq_cst) { set_.store(0, o); }
    void wait(bool old, memory_order o = memory_order_seq_cst) const
    {
        set_.wait(old, o);
    }
    void notify_one() {}
    void notify_all() {}

private:
    atomic<int, Scope> set_;
};

namespace std {

template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_bool = atomic<bool>;
using atomic_flag = ::cuda::atomic_flag<thread_scope_system>;
using ::cuda::atomic_thread_fence;

} // namespace std
} // namespace cuda

#include "softgpu/pop_macros.h"

#endif
