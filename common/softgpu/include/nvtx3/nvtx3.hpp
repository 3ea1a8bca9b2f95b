/* SPDX-License-Identifier: MIT */
/** @file
 *  NVTX for C++: ranges and marks; no effect, see nvToolsExt.h.
 */
#ifndef SOFTGPU_NVTX3_HPP
#define SOFTGPU_NVTX3_HPP

#include "softgpu/push_macros.h"
#include "nvtx3/nvToolsExt.h"

/** @cond: the names are NVTX's */
namespace nvtx3 {

struct domain {
    struct global;
};

/* Attributes of an event, from any argument. */
struct color {
    explicit constexpr color(uint32_t) {}
};

/* Of red, green, blue. */
struct rgb {
    constexpr rgb(uint8_t, uint8_t, uint8_t) {}
};

/* With opacity. */
struct argb {
    constexpr argb(uint8_t, uint8_t, uint8_t, uint8_t) {}
};

/* Of this number. */
struct category {
    explicit constexpr category(uint32_t) {}
};

/* A number shown with it. */
struct payload {
    template <class T> explicit constexpr payload(T) {}
};

/* Its text. */
struct message {
    template <class T> constexpr message(const T &) {}
};

/* All of an event's; a CPU shows none. */
struct event_attributes {
    template <class... Args> explicit event_attributes(const Args &...) {}
};

template <class D> struct scoped_range_in {
    template <class... Args> explicit scoped_range_in(const Args &...) {}
    ~scoped_range_in() {}
    scoped_range_in(const scoped_range_in &) = delete;
    scoped_range_in &operator=(const scoped_range_in &) = delete;
};

using scoped_range = scoped_range_in<domain::global>;

template <class D> struct unique_range_in {
    template <class... Args> explicit unique_range_in(const Args &...) {}
    ~unique_range_in() {}
    unique_range_in(unique_range_in &&) {}
    unique_range_in &operator=(unique_range_in &&) { return *this; }
};

using unique_range = unique_range_in<domain::global>;

struct range_handle {};

template <class D = domain::global, class... Args>
range_handle start_range_in(const Args &...)
{
    return {};
}

template <class... Args> range_handle start_range(const Args &...)
{
    return {};
}

template <class D = domain::global> void end_range_in(range_handle) {}

inline void end_range(range_handle) {}

template <class D = domain::global, class... Args> void mark_in(const Args &...)
{
}

template <class... Args> void mark(const Args &...) {}

} // namespace nvtx3

#define NVTX3_FUNC_RANGE() ((void)0)
#define NVTX3_FUNC_RANGE_IN(domain) ((void)0)
/** @endcond */

#include "softgpu/pop_macros.h"

#endif
