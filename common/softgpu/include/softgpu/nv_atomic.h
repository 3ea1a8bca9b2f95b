/* SPDX-License-Identifier: MIT */
/** @file
 *  The built-in atomic functions of CUDA 12.8: __nv_atomic_load() and so on,
 *  with a memory order and a thread scope, by the compiler's atomics.  Every
 *  scope is the system scope.
 */
#ifndef SOFTGPU_NV_ATOMIC_H
#define SOFTGPU_NV_ATOMIC_H

#include "abi.h"
#include "atomic.h"
#include "inline.h"

/** @name Memory orders, with the numbers of the compiler's
 *  @{ */
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
/** @} */

/** @name Thread scopes
 *  @{ */
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4
/** @} */

/** *ret = *ptr */
template <class T>
SOFTGPU_FN void __nv_atomic_load(T *ptr, T *ret, int order,
                                 int = __NV_THREAD_SCOPE_SYSTEM)
{
    softgpu_spin();
    __atomic_load(ptr, ret, order);
}
/** @return *ptr */
template <class T>
SOFTGPU_FN T __nv_atomic_load_n(T *ptr, int order,
                                int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T value;
    __nv_atomic_load(ptr, &value, order, scope);
    return value;
}
/** *ptr = *val */
template <class T>
SOFTGPU_FN void __nv_atomic_store(T *ptr, softgpu::non_deduced<T> *val,
                                  int order, int = __NV_THREAD_SCOPE_SYSTEM)
{
    __atomic_store(ptr, val, order);
    softgpu_spin();
}
/** *ptr = val */
template <class T>
SOFTGPU_FN void __nv_atomic_store_n(T *ptr, softgpu::non_deduced<T> val,
                                    int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __nv_atomic_store(ptr, &val, order, scope);
}
/** Swap *ptr with *val; *ret is the old value. */
template <class T>
SOFTGPU_FN void __nv_atomic_exchange(T *ptr, softgpu::non_deduced<T> *val,
                                     softgpu::non_deduced<T> *ret, int order,
                                     int = __NV_THREAD_SCOPE_SYSTEM)
{
    softgpu_spin();
    __atomic_exchange(ptr, val, ret, order);
}
/** *ptr = val.  @return the old value */
template <class T>
SOFTGPU_FN T __nv_atomic_exchange_n(T *ptr, softgpu::non_deduced<T> val,
                                    int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T old;
    __nv_atomic_exchange(ptr, &val, &old, order, scope);
    return old;
}
/** If *ptr == *expected, *ptr = *desired, else *expected = *ptr.
 *  @return whether it was equal */
template <class T>
SOFTGPU_FN bool __nv_atomic_compare_exchange(
    T *ptr, softgpu::non_deduced<T> *expected, softgpu::non_deduced<T> *desired,
    bool, int success, int failure, int = __NV_THREAD_SCOPE_SYSTEM)
{
    softgpu_spin();
    return __atomic_compare_exchange(ptr, expected, desired, false, success,
                                     failure);
}
/** The same with the value `desired`. */
template <class T>
SOFTGPU_FN bool __nv_atomic_compare_exchange_n(
    T *ptr, softgpu::non_deduced<T> *expected, softgpu::non_deduced<T> desired,
    bool weak, int success, int failure, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __nv_atomic_compare_exchange(ptr, expected, &desired, weak, success,
                                        failure, scope);
}

/** Define __nv_atomic_fetch_OP(), which returns the old value, and
 *  __nv_atomic_OP(), which returns nothing: *ptr becomes `next`, an expression
 *  of `old` and `val`. */
#define SOFTGPU_NV_ATOMIC(op, next)                                            \
    template <class T>                                                         \
    SOFTGPU_FN T __nv_atomic_fetch_##op(T *ptr, softgpu::non_deduced<T> val,   \
                                        int order,                             \
                                        int = __NV_THREAD_SCOPE_SYSTEM)        \
    {                                                                          \
        T old, wanted;                                                         \
        softgpu_spin();                                                        \
        __atomic_load(ptr, &old, __ATOMIC_RELAXED);                            \
        do                                                                     \
            wanted = static_cast<T>(next);                                     \
        while (!__atomic_compare_exchange(ptr, &old, &wanted, false, order,    \
                                          __ATOMIC_RELAXED));                  \
        return old;                                                            \
    }                                                                          \
    template <class T>                                                         \
    SOFTGPU_FN void __nv_atomic_##op(T *ptr, softgpu::non_deduced<T> val,      \
                                     int order,                                \
                                     int scope = __NV_THREAD_SCOPE_SYSTEM)     \
    {                                                                          \
        __nv_atomic_fetch_##op(ptr, val, order, scope);                        \
    }

SOFTGPU_NV_ATOMIC(add, old + val)
SOFTGPU_NV_ATOMIC(sub, old - val)
SOFTGPU_NV_ATOMIC(and, old & val)
SOFTGPU_NV_ATOMIC(or, old | val)
SOFTGPU_NV_ATOMIC(xor, old ^ val)
SOFTGPU_NV_ATOMIC(min, old < val ? old : val)
SOFTGPU_NV_ATOMIC(max, old > val ? old : val)
#undef SOFTGPU_NV_ATOMIC

/** A fence; its scope is the system. */
SOFTGPU_FN void __nv_atomic_thread_fence(int order,
                                         int = __NV_THREAD_SCOPE_SYSTEM)
{
    __atomic_thread_fence(order);
    softgpu_spin();
}

#endif
