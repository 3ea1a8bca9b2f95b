/* SPDX-License-Identifier: MIT */
/** @file
 *  cuda::std::span before C++20, which NVIDIA's library has from C++17 on.
 */
#ifndef SOFTGPU_CUDA_SPAN_H
#define SOFTGPU_CUDA_SPAN_H

#include "softgpu/push_macros.h"
#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace cuda {
namespace std {

/** The extent of a span whose size is known only when the program runs. */
inline constexpr ::std::size_t dynamic_extent = ~::std::size_t{0};

/** A view of elements in a row.  The size of a static extent is kept, too. */
template <class T, ::std::size_t Extent = dynamic_extent> class span {
    template <class U>
    using fits = ::std::enable_if_t<
        ::std::is_convertible<::std::remove_pointer_t<U> (*)[], T (*)[]>::value,
        int>;

public:
    using element_type = T;
    using value_type = ::std::remove_cv_t<T>;
    using size_type = ::std::size_t;
    using difference_type = ::std::ptrdiff_t;
    using pointer = T *;
    using const_pointer = const T *;
    using reference = T &;
    using const_reference = const T &;
    using iterator = T *;
    using reverse_iterator = ::std::reverse_iterator<iterator>;

    static constexpr size_type extent = Extent;

    constexpr span() = default;
    constexpr span(T *first, size_type n) : first_(first), size_(n) {}
    constexpr span(T *first, T *end)
        : first_(first), size_(static_cast<size_type>(end - first))
    {
    }
    template <size_type N>
    constexpr span(T (&array)[N]) : first_(array), size_(N)
    {
    }
    /** Of a container: std::array, std::vector, another span. */
    template <class C, class P = decltype(::std::declval<C &>().data()),
              class = decltype(::std::declval<C &>().size()), fits<P> = 0>
    constexpr span(C &&container)
        : first_(container.data()), size_(container.size())
    {
    }

    constexpr size_type size() const { return size_; }
    constexpr size_type size_bytes() const { return size_ * sizeof(T); }
    constexpr bool empty() const { return size_ == 0; }
    constexpr pointer data() const { return first_; }
    constexpr reference operator[](size_type i) const { return first_[i]; }
    constexpr reference front() const { return first_[0]; }
    constexpr reference back() const { return first_[size_ - 1]; }
    constexpr iterator begin() const { return first_; }
    constexpr iterator end() const { return first_ + size_; }
    reverse_iterator rbegin() const { return reverse_iterator(end()); }
    reverse_iterator rend() const { return reverse_iterator(begin()); }

    constexpr span<T> first(size_type n) const { return {first_, n}; }
    constexpr span<T> last(size_type n) const
    {
        return {first_ + (size_ - n), n};
    }
    constexpr span<T> subspan(size_type at, size_type n = dynamic_extent) const
    {
        return {first_ + at, n == dynamic_extent ? size_ - at : n};
    }
    template <size_type N> constexpr span<T, N> first() const
    {
        return {first_, N};
    }
    template <size_type N> constexpr span<T, N> last() const
    {
        return {first_ + (size_ - N), N};
    }
    template <size_type At, size_type N = dynamic_extent>
    constexpr span<T, N> subspan() const
    {
        return {first_ + At, N == dynamic_extent ? size_ - At : N};
    }

private:
    T *first_ = nullptr;
    size_type size_ = 0;
};

/** Of an array: its extent is known. */
template <class T, ::std::size_t N> span(T (&)[N]) -> span<T, N>;
/** Of a pointer and a count. */
template <class T> span(T *, ::std::size_t) -> span<T>;
/** Of a container with data() and size(). */
template <class C>
span(C &&) -> span<::std::remove_pointer_t<
    decltype(::std::declval<C &>().data())>>;

} // namespace std
} // namespace cuda

#include "softgpu/pop_macros.h"
#endif
