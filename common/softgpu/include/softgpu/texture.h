/* SPDX-License-Identifier: MIT */
/** @file
 *  Device functions that read texture objects.  Each has CUDA's two forms: one
 *  returns T, the other stores it: tex2D<T>(object, x, y) and
 *  tex2D(&result, object, x, y).  T has 1, 2 or 4 components of at most 32
 *  bits.  The forms for sparse arrays (isResident) are not supported.
 */
#ifndef SOFTGPU_TEXTURE_H
#define SOFTGPU_TEXTURE_H

#include <type_traits>

#include "../vector_types.h"
#include "inline.h"
#include "texture_abi.h"
#include "texture_types.h"

namespace softgpu {

/** A component of 32 bits as a U. */
template <class U> SOFTGPU_FN U component(uint32_t word)
{
    static_assert(sizeof(U) <= 4, "a texture has components of 32 bits");
    if constexpr (std::is_floating_point<U>::value) {
        U result;
        __builtin_memcpy(&result, &word, sizeof result);
        return result;
    } else {
        return static_cast<U>(word);
    }
}

/** Components as a T: a number, or a vector of CUDA. */
template <class T> SOFTGPU_FN T components(const uint32_t *words)
{
    if constexpr (std::is_arithmetic<T>::value) {
        return component<T>(words[0]);
    } else {
        T result;
        typedef decltype(result.x) U;
        result.x = component<U>(words[0]);
        if constexpr (sizeof(T) >= 2 * sizeof(U))
            result.y = component<U>(words[1]);
        if constexpr (sizeof(T) >= 4 * sizeof(U)) {
            result.z = component<U>(words[2]);
            result.w = component<U>(words[3]);
        }
        return result;
    }
}

/** Sample a texture. */
template <class T>
SOFTGPU_FN T sample(cudaTextureObject_t object, const softgpu_sample &where)
{
    uint32_t words[4];
    softgpu_texture_sample(words, object, &where);
    return components<T>(words);
}

} // namespace softgpu

/** Element x of a linear texture; 0 outside of it. */
template <class T> SOFTGPU_FN T tex1Dfetch(cudaTextureObject_t object, int x)
{
    uint32_t words[4];
    softgpu_texture_element(words, object, x);
    return softgpu::components<T>(words);
}
/** The same, stored. */
template <class T>
SOFTGPU_FN void tex1Dfetch(T *to, cudaTextureObject_t object, int x)
{
    *to = tex1Dfetch<T>(object, x);
}

/** Component `part` of the four elements that tex2D() would interpolate:
 *  (0, 1), (1, 1), (1, 0), (0, 0) in x and y. */
template <class T>
SOFTGPU_FN T tex2Dgather(cudaTextureObject_t object, float x, float y,
                         int part = 0)
{
    const float place[2] = {x, y};
    uint32_t words[4];
    softgpu_texture_gather(words, object, place, part);
    return softgpu::components<T>(words);
}
/** The same, stored. */
template <class T>
SOFTGPU_FN void tex2Dgather(T *to, cudaTextureObject_t object, float x,
                            float y, int part = 0)
{
    *to = tex2Dgather<T>(object, x, y, part);
}

/** @cond: both forms of a function; places are x, y, z, layer, lod ... */
#define SOFTGPU_PARENS(...) __VA_ARGS__
#define SOFTGPU_TEX(name, parameters, arguments, ...)                         \
    template <class T>                                                        \
    SOFTGPU_FN T name(cudaTextureObject_t object, SOFTGPU_PARENS parameters)  \
    {                                                                         \
        const softgpu_sample where = __VA_ARGS__;                             \
        return softgpu::sample<T>(object, where);                             \
    }                                                                         \
    template <class T>                                                        \
    SOFTGPU_FN void name(T *to, cudaTextureObject_t object,                   \
                         SOFTGPU_PARENS parameters)                           \
    {                                                                         \
        *to = name<T>(object, SOFTGPU_PARENS arguments);                      \
    }

/* A function, with a level of detail, and with a gradient. */
#define SOFTGPU_TEX_OF(name, shape, layer, xyz, P, A, G, dx, dy)              \
    SOFTGPU_TEX(name, (SOFTGPU_PARENS P), (SOFTGPU_PARENS A),                 \
                {shape, layer, {SOFTGPU_PARENS xyz}, 0, 0, {{0}, {0}}})       \
    SOFTGPU_TEX(name##Lod, (SOFTGPU_PARENS P, float lod),                     \
                (SOFTGPU_PARENS A, lod),                                      \
                {shape, layer, {SOFTGPU_PARENS xyz}, lod, 0, {{0}, {0}}})     \
    SOFTGPU_TEX(name##Grad, (SOFTGPU_PARENS P, G dPdx, G dPdy),               \
                (SOFTGPU_PARENS A, dPdx, dPdy),                               \
                {shape, layer, {SOFTGPU_PARENS xyz}, 0, 1,                    \
                 {{SOFTGPU_PARENS dx}, {SOFTGPU_PARENS dy}}})

SOFTGPU_TEX_OF(tex1D, SOFTGPU_1D, 0, (x), (float x), (x), float, (dPdx),
               (dPdy))
SOFTGPU_TEX_OF(tex2D, SOFTGPU_2D, 0, (x, y), (float x, float y), (x, y),
               float2, (dPdx.x, dPdx.y), (dPdy.x, dPdy.y))
SOFTGPU_TEX_OF(tex3D, SOFTGPU_3D, 0, (x, y, z), (float x, float y, float z),
               (x, y, z), float4, (dPdx.x, dPdx.y, dPdx.z),
               (dPdy.x, dPdy.y, dPdy.z))
SOFTGPU_TEX_OF(tex1DLayered, SOFTGPU_1D_LAYERED, layer, (x),
               (float x, int layer), (x, layer), float, (dPdx), (dPdy))
SOFTGPU_TEX_OF(tex2DLayered, SOFTGPU_2D_LAYERED, layer, (x, y),
               (float x, float y, int layer), (x, y, layer), float2,
               (dPdx.x, dPdx.y), (dPdy.x, dPdy.y))
/* The gradient of a cubemap is not supported: softcc refuses its name. */
#define SOFTGPU_TEX_CUBE(name, shape, layer, P, A)                            \
    SOFTGPU_TEX(name, (SOFTGPU_PARENS P), (SOFTGPU_PARENS A),                 \
                {shape, layer, {x, y, z}, 0, 0, {{0}, {0}}})                  \
    SOFTGPU_TEX(name##Lod, (SOFTGPU_PARENS P, float lod),                     \
                (SOFTGPU_PARENS A, lod),                                      \
                {shape, layer, {x, y, z}, lod, 0, {{0}, {0}}})
SOFTGPU_TEX_CUBE(texCubemap, SOFTGPU_CUBEMAP, 0,
                 (float x, float y, float z), (x, y, z))
SOFTGPU_TEX_CUBE(texCubemapLayered, SOFTGPU_CUBEMAP_LAYERED, layer,
                 (float x, float y, float z, int layer), (x, y, z, layer))
#undef SOFTGPU_TEX_CUBE
#undef SOFTGPU_TEX_OF
#undef SOFTGPU_TEX
/** @endcond */

#endif
