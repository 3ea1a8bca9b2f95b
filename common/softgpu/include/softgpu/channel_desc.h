/* SPDX-License-Identifier: MIT */
/** @file
 *  cudaCreateChannelDesc<T>(): the format of a number, a vector, or a half.
 */
#ifndef SOFTGPU_CHANNEL_DESC_H
#define SOFTGPU_CHANNEL_DESC_H

#include <type_traits>

#include "../cuda_runtime_api.h"

struct __half;
struct __half2;

namespace softgpu {

/** The format of `parts` channels of type U. */
template <class U> inline cudaChannelFormatDesc channel_desc(size_t parts)
{
    const int n = 8 * (int)sizeof(U);
    return ::cudaCreateChannelDesc(
        n, parts > 1 ? n : 0, parts > 2 ? n : 0, parts > 3 ? n : 0,
        std::is_floating_point<U>::value ? cudaChannelFormatKindFloat
        : std::is_signed<U>::value       ? cudaChannelFormatKindSigned
                                         : cudaChannelFormatKindUnsigned);
}

} // namespace softgpu

/** The format of a T. */
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    if constexpr (std::is_same<T, __half>::value) {
        return ::cudaCreateChannelDesc(16, 0, 0, 0,
                                       cudaChannelFormatKindFloat);
    } else if constexpr (std::is_same<T, __half2>::value) {
        return ::cudaCreateChannelDesc(16, 16, 0, 0,
                                       cudaChannelFormatKindFloat);
    } else if constexpr (std::is_arithmetic<T>::value) {
        return softgpu::channel_desc<T>(1);
    } else {
        typedef decltype(T().x) U;
        return softgpu::channel_desc<U>(sizeof(T) / sizeof(U));
    }
}

/** The format of a half. */
inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
/** The format of two halves. */
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2()
{
    return ::cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
/** The format of four halves. */
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4()
{
    return ::cudaCreateChannelDesc(16, 16, 16, 16,
                                   cudaChannelFormatKindFloat);
}

#endif
