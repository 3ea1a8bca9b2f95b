/* SPDX-License-Identifier: MIT */
/** @file
 *  Vector types whose copy is one memory access, for instrumented builds.
 *
 *  A compiler can split the copy of a struct into its members; then the
 *  instrumentation reports four accesses of 4 bytes, where a card makes one of
 *  16.  The copy through a type of the whole size, which may alias any type,
 *  remains one access.  But the types are no aggregates then and need
 *  constructors, and a union with one of them cannot be copied.  So only
 *  instrumented builds use this.
 */
#ifndef SOFTGPU_SINGLE_ACCESS_H
#define SOFTGPU_SINGLE_ACCESS_H

#include "access_type.h"

namespace softgpu {

/** Copy *from to *to in one access each, 32 bytes in two as on cc < 10.
 *  @param[out] to    all of it is written
 *  @param[in]  from  aligned as T is */
template <typename T> inline auto copy_in_one_access(T *to, const T *from)
{
    typedef typename access<(sizeof(T) < 16 ? sizeof(T) : 16)>::type word;
    for (unsigned i = 0; i < sizeof(T) / sizeof(word); i++)
        reinterpret_cast<word *>(to)[i] = reinterpret_cast<const word *>(
            from)[i];
}

} // namespace softgpu

/** Copy constructor and assignment of a vector type, in its definition. */
#define SOFTGPU_COPY(name)                                                     \
    name() = default;                                                          \
    inline name(const name &from)                                              \
    {                                                                          \
        softgpu::copy_in_one_access(this, &from);                              \
    }                                                                          \
    inline name &operator=(const name &from)                                   \
    {                                                                          \
        softgpu::copy_in_one_access(this, &from);                              \
        return *this;                                                          \
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
