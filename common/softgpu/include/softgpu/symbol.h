/* SPDX-License-Identifier: MIT */
/** @file
 *  __device__, __constant__ and __managed__ variables: after the declaration of
 *  each, softcc inserts
 *
 *      static const softgpu::symbol softgpu_v7(table, "table", kind);
 *
 *  so that the runtime knows them before main().
 */
#ifndef SOFTGPU_SYMBOL_RECORD_H
#define SOFTGPU_SYMBOL_RECORD_H

#include <type_traits>

#include "abi.h"

namespace softgpu {

/** Is the initial value of a T a constant? */
template <class T, int = (T(), 0)> constexpr bool has_constant_value(int)
{
    return true;
}
/** No: its constructor is executed. */
template <class T> constexpr bool has_constant_value(long)
{
    return std::is_trivially_default_constructible<T>::value;
}

/** Registers one variable. */
class symbol {
public:
    /** Register it with its current value. */
    template <class T>
    symbol(const volatile T &variable, const char *name,
           softgpu_symbol_kind kind)
        : record_{ name, const_cast<const T *>(&variable), sizeof(T), kind,
                   nullptr }
    {
        softgpu_register_symbol(&record_);
    }
    /** Likewise, a variable whose constructor must have nothing to do. */
    template <class T>
    symbol(const volatile T &variable, const char *name,
           softgpu_symbol_kind kind, const char *file, int line)
        : symbol(variable, name, kind)
    {
        using element = typename std::remove_all_extents<T>::type;
        if (!has_constant_value<element>(0))
            softgpu_require_zero(&record_, file, line);
    }
    symbol(const symbol &) = delete;

private:
    softgpu_symbol record_;
};

/** Bytes of a variable; 0 for an array of unknown length. */
template <class T> constexpr size_t symbol_bytes(const T &)
{
    if constexpr (std::is_array<T>::value && std::extent<T>::value == 0)
        return 0;
    else
        return sizeof(T);
}

} // namespace softgpu

#endif
