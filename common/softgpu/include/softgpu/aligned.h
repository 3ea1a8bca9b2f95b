/* SPDX-License-Identifier: MIT */
/** @file
 *  Access through a cast pointer: softcc makes `*(aligned<T>)x` of `*(T *)x`,
 *  `as_aligned<T>(x)[i]` of `reinterpret_cast<T *>(x)[i]`, and
 *  `aligned_pointer(p)[i]` of `p[i]` where a cast made the variable p.
 *  As on a GPU, a misaligned address ends the kernel with
 *  cudaErrorMisalignedAddress.  The CPU itself would test accesses of 16 bytes,
 *  but compilers split those whose members are used one by one.  An instrumented
 *  program reports the access instead; there the compiler must not know that an
 *  address is misaligned, or it reports a copy of bytes.
 */
#ifndef SOFTGPU_ALIGNED_H
#define SOFTGPU_ALIGNED_H

#include <stddef.h>

#include <type_traits>

#include "abi.h"
#include "inline.h"

namespace softgpu {

/** A pointer whose address is tested at each access in a kernel.
 *  @tparam Line  keeps the compiler from making one call of those in two
 *      lines, so that the error has the right one */
template <class T, int Line> class aligned {
public:
    /** The value of `(T *)from`.  By value, as gcc 12 in templates binds no
     *  reference to the address of an element of a __restrict__ pointer. */
    template <class From>
    SOFTGPU_FN aligned(From from) : pointer_((T *)from)
    {
    }
    /** The object pointed to, after a test of its address. */
    SOFTGPU_FN T &operator*() const { return *tested(pointer_, pointer_); }
    SOFTGPU_FN T *operator->() const { return tested(pointer_, pointer_); }
    /** An element.  It is aligned as the first one is, whose address is that of
     *  all threads, so that the test can leave their loop. */
    template <class Index> SOFTGPU_FN T &operator[](Index i) const
    {
        return *tested(pointer_ + i, pointer_);
    }

private:
    T *pointer_;

    /** The pointer `p`; the kernel ends with an error if `first`, another element
     *  of its array, is misaligned. */
    static SOFTGPU_FN T *tested(T *p, T *first)
    {
        if constexpr (std::is_object<T>::value) {
            constexpr size_t step = alignof(T);
#ifdef SOFTGPU_INSTRUMENTED
            const size_t rest = (size_t)first & (step - 1);
            if (__builtin_constant_p(rest) && rest)
                __asm__("" : "+r"(p));
#else
            if (__builtin_expect(((size_t)first & (step - 1)) != 0, 0)
                && softgpu_tls.block)
                softgpu_fail(716, "misaligned address %p", (const void *)p,
                             Line);
#endif
        }
        return p;
    }
};

/** The same as a call: at the beginning of a statement, aligned<T>(x)[i] would
 *  declare an array x. */
template <class T, int Line, class From>
SOFTGPU_FN aligned<T, Line> as_aligned(From from)
{
    return aligned<T, Line>((T *)from);
}

/** The pointer that a variable of this name holds. */
template <int Line, class T> SOFTGPU_FN aligned<T, Line> aligned_pointer(T *p)
{
    return aligned<T, Line>(p);
}

/** A variable of this name that holds no pointer. */
template <int Line, class T> SOFTGPU_FN T &aligned_pointer(T &object)
{
    return object;
}

} // namespace softgpu

#endif
