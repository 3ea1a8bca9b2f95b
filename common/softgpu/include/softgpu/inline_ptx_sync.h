/* SPDX-License-Identifier: MIT */
/** @file
 *  Inline PTX: the 16 barriers of a block; matches and reductions of a warp.
 *  Part of inline_ptx.h.
 */
#ifndef SOFTGPU_INLINE_PTX_SYNC_H
#define SOFTGPU_INLINE_PTX_SYNC_H

#include "inline_ptx.h"
#include "warp.h"

namespace softgpu {
namespace ptx {

/** Barrier `id` of all threads of the block; 0 is __syncthreads(). */
template <class B> SOFTGPU_FN void bar_sync(B id)
{
    if (get<uint32_t>(id) == 0)
        softgpu_barrier();
    else
        softgpu_numbered_barrier(get<uint32_t>(id), 0, 1);
}
/** Barrier `id` of so many threads. */
template <class B, class N> SOFTGPU_FN void bar_sync(B id, N threads)
{
    softgpu_numbered_barrier(get<uint32_t>(id), get<uint32_t>(threads), 1);
}
/** Arrive at barrier `id` of so many threads and do not wait. */
template <class B, class N> SOFTGPU_FN void bar_arrive(B id, N threads)
{
    softgpu_numbered_barrier(get<uint32_t>(id), get<uint32_t>(threads), 0);
}
/** The lanes that have the same value. */
template <class T, class D, class A, class M>
SOFTGPU_FN void match_any(D &d, A a, M m)
{
    set<D, uint32_t>(d, __match_any_sync(get<uint32_t>(m), get<T>(a)));
}
/** The lanes of the mask if all have the same value, else 0. */
template <class T, class D, class A, class M>
SOFTGPU_FN void match_all(D &d, bool &all, A a, M m)
{
    int same;
    set<D, uint32_t>(d, __match_all_sync(get<uint32_t>(m), get<T>(a), &same));
    all = same != 0;
}
/** The same without the predicate. */
template <class T, class D, class A, class M>
SOFTGPU_FN void match_all(D &d, A a, M m)
{
    bool all;
    match_all<T>(d, all, a, m);
}
/** @cond: redux.sync, a reduction over the lanes of the mask */
#define SOFTGPU_PTX_REDUX(name)                                       \
    template <class T, class D, class A, class M>                     \
    SOFTGPU_FN void redux_##name(D &d, A a, M m)                      \
    {                                                                 \
        set<D, T>(d, __reduce_##name##_sync(get<uint32_t>(m), get<T>(a))); \
    }
SOFTGPU_PTX_REDUX(add)
SOFTGPU_PTX_REDUX(min)
SOFTGPU_PTX_REDUX(max)
SOFTGPU_PTX_REDUX(and)
SOFTGPU_PTX_REDUX(or)
SOFTGPU_PTX_REDUX(xor)
#undef SOFTGPU_PTX_REDUX
/** @endcond */

} // namespace ptx
} // namespace softgpu

#endif
