/* SPDX-License-Identifier: MIT */
/** @file
 *  `__shared__` variables: softcc makes of each a reference to its place in
 *  the block's arena.
 *
 *      struct softgpu_s7 { using kernel = softgpu_tag; };  void: in a function
 *      typedef float softgpu_t7[256];
 *      softgpu_t7 &s_sum = softgpu::shared<softgpu_s7, softgpu_t7>("s_sum");
 *
 *  Places are given out before main(), in the order of registration, so the
 *  offset is one load from memory.
 */
#ifndef SOFTGPU_SHARED_H
#define SOFTGPU_SHARED_H

#include "launch.h"

#ifdef SOFTGPU_WATCHED
/** Where a variable lies in the running block: found without accesses and
 *  branches that who looks on would take for the program's.  Named for
 *  messages when it is first used. */
extern "C" __attribute__((pure)) char *
softgpu_watched_place(struct softgpu_slot *slot, const char *name);
#endif

namespace softgpu {

/** The kernel that a slot belongs to; NULL for void, a device function's. */
template <class Tag> inline softgpu_kernel *slot_kernel()
{
    return &kernel_of<Tag>::value;
}
/** A device function's: no kernel. */
template <> inline softgpu_kernel *slot_kernel<void>()
{
    return nullptr;
}

/** The record of one shared variable, linked at start-up.  An array is
 *  aligned to 16 bytes at least, as nvcc does, so that it may be read as
 *  float4. */
template <class Slot, class T> struct slot_of {
    static inline softgpu_slot value = {};
    static bool describe()
    {
        value.kernel = slot_kernel<typename Slot::kernel>();
        value.bytes = sizeof(T);
        constexpr std::size_t asked = /* __align__ lies on Slot */
            alignof(Slot) > alignof(T) ? alignof(Slot) : alignof(T);
        value.align = sizeof(T) >= 16 && asked < 16 ? 16 : asked;
        softgpu_register_slot(&value);
        return true;
    }
    static inline const bool done = describe();
};

/** Remember what a variable is called, for messages.  No watcher sees it: no
 *  card does it. */
#ifdef SOFTGPU_WATCHED
__attribute__((noinline, no_sanitize("thread")))
#endif
inline void name_slot(softgpu_slot &slot, const char *name)
{
    slot.name = name;
}

/** The variable of type T that Slot names, in the running block. */
template <class Slot, class T> inline T &shared(const char *name)
{
    using slot = slot_of<Slot, T>;
    (void)&slot::done;
#ifdef SOFTGPU_WATCHED
    return *reinterpret_cast<T *>(softgpu_watched_place(&slot::value, name));
#else
    if (__builtin_expect(!slot::value.name, 0))
        name_slot(slot::value, name);
    char *base = std::is_void<typename Slot::kernel>::value
                     ? softgpu_tls.functions
                     : softgpu_tls.shared;
    return *reinterpret_cast<T *>(base + slot::value.offset);
#endif
}

/** The dynamic shared memory of the block as an array of unknown length. */
template <class T> inline T &dynamic_shared()
{
    return *reinterpret_cast<T *>(softgpu_tls.dynamic);
}

} // namespace softgpu

#endif
