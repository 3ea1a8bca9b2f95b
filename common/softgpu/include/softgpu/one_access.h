/* SPDX-License-Identifier: MIT */
/** @file
 *  Vector types whose copy is one access to memory, for watched builds.
 *
 *  A compiler may split the copy of a struct into its members; a watcher then
 *  sees four accesses of 4 bytes where the card makes one of 16.  Copying
 *  through one value of the whole size, which may alias anything, keeps it one.
 *  The price: the types are no longer aggregates, hence the constructors; a
 *  union that holds one cannot itself be copied.  So only watched builds pay.
 */
#ifndef SOFTGPU_ONE_ACCESS_H
#define SOFTGPU_ONE_ACCESS_H

#include "access.h"

namespace softgpu {

/** Copy *from to *to in one access each, 32 bytes in two as on cc < 10.
 *  @param[out] to    all of it is written
 *  @param[in]  from  aligned as T is */
template <typename T> inline void copy_at_once(T *to, const T *from)
{
    typedef typename access<(sizeof(T) < 16 ? sizeof(T) : 16)>::type word;
    for (unsigned i = 0; i < sizeof(T) / sizeof(word); i++)
        reinterpret_cast<word *>(to)[i] =
            reinterpret_cast<const word *>(from)[i];
}

} // namespace softgpu

/** Copying of a vector type in one access, inside its definition. */
#define SOFTGPU_COPY(name)                                             \
    name() = default;                                                  \
    inline name(const name &from) { softgpu::copy_at_once(this, &from); } \
    inline name &operator=(const name &from)                           \
    {                                                                  \
        softgpu::copy_at_once(this, &from);                            \
        return *this;                                                  \
    }
/** The same and the constructors that `{x, y}` needs. */
#define SOFTGPU_COPY2(name, T)                            \
    SOFTGPU_COPY(name)                                    \
    constexpr name(T x_, T y_ = 0) : x(x_), y(y_) {}
/** The same for four members. */
#define SOFTGPU_COPY4(name, T)                               \
    SOFTGPU_COPY(name)                                       \
    constexpr name(T x_, T y_ = 0, T z_ = 0, T w_ = 0)       \
        : x(x_), y(y_), z(z_), w(w_)                         \
    {                                                        \
    }

#endif
