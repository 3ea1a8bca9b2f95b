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
