/* SPDX-License-Identifier: MIT */
/** @file
 *  `__shared__` variables: softcc rewrites each to a reference into the shared
 *  memory of the block.
 *
 *      struct softgpu_s7 { using kernel = softgpu_tag; };  void: in a function
 *      typedef float softgpu_t7[256];
 *      softgpu_t7 &s_sum = softgpu::shared<softgpu_s7, softgpu_t7>("s_sum");
 *
 *  Offsets are assigned before main(), in the order of registration, so the
 *  address of a variable is a load and an addition.
 */
#ifndef SOFTGPU_SHARED_H
#define SOFTGPU_SHARED_H

#include "launch.h"

#ifdef SOFTGPU_INSTRUMENTED
/** The address of a variable in the running block, computed without
 *  instrumented accesses and branches.  Records the name for messages. */
extern "C" __attribute__((pure)) char *
softgpu_shared_address(struct softgpu_shared_variable *slot, const char *name);
#endif

namespace softgpu {

/** The kernel that declares a variable; NULL for void: a device function. */
template <class Tag> inline softgpu_kernel *owning_kernel()
{
    return &kernel_of<Tag>::value;
}
/** Of a device function: no kernel. */
template <> inline softgpu_kernel *owning_kernel<void>()
{
    return nullptr;
}

/** The record of a shared variable, registered before main().  An array is
 *  aligned to at least 16 bytes, as with nvcc, so that it can be loaded as
 *  float4. */
template <class Slot, class T> struct shared_record {
    static inline softgpu_shared_variable value = {};
    static constexpr std::size_t requested = /* __align__ is on Slot */
        alignof(Slot) > alignof(T) ? alignof(Slot) : alignof(T);
    static constexpr std::size_t align =
        sizeof(T) >= 16 && requested < 16 ? 16 : requested;
    /** The part of it that any block's memory has. */
    static constexpr std::size_t known =
        align < SOFTGPU_SHARED_ALIGN ? align : SOFTGPU_SHARED_ALIGN;
    static bool register_variable()
    {
        value.kernel = owning_kernel<typename Slot::kernel>();
        value.bytes = sizeof(T);
        value.align = align;
        softgpu_register_shared(&value);
        return true;
    }
    static inline const bool done = register_variable();
};

/** Record the name of a variable for messages; not instrumented. */
#ifdef SOFTGPU_INSTRUMENTED
__attribute__((noinline, no_sanitize("thread")))
#endif
inline void
set_name(softgpu_shared_variable &slot, const char *name)
{
    slot.name = name;
}

/** The variable of type T with the tag type Slot, in the running block. */
template <class Slot, class T> inline T &shared(const char *name)
{
    using slot = shared_record<Slot, T>;
    (void)&slot::done;
#ifdef SOFTGPU_INSTRUMENTED
    return *reinterpret_cast<T *>(softgpu_shared_address(&slot::value, name));
#else
    if (__builtin_expect(!slot::value.name, 0))
        set_name(slot::value, name);
    char *base = std::is_void<typename Slot::kernel>::value
                     ? softgpu_tls.functions
                     : softgpu_tls.shared;
    return *reinterpret_cast<T *>(__builtin_assume_aligned(
        base + slot::value.offset, slot::known));
#endif
}

/** The dynamic shared memory of the running block as an array.  See aligned.h
 *  for what an instrumented program must not know. */
template <class T> inline T &dynamic_shared()
{
#ifdef SOFTGPU_INSTRUMENTED
    return *reinterpret_cast<T *>(softgpu_tls.dynamic);
#else
    return *reinterpret_cast<T *>(
        __builtin_assume_aligned(softgpu_tls.dynamic, SOFTGPU_SHARED_ALIGN));
#endif
}

} // namespace softgpu

#endif
