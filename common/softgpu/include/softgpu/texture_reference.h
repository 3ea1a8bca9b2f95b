/* SPDX-License-Identifier: MIT */
/** @file
 *  Texture references: `texture<T, dim, mode> name;` at file scope, which CUDA
 *  had until version 11.  softcc writes softgpu::texture_reference for CUDA's
 *  name `texture`.  A binding makes a texture object; a fetch is one of it.
 */
#ifndef SOFTGPU_TEXTURE_REFERENCE_H
#define SOFTGPU_TEXTURE_REFERENCE_H

#include "channel_desc.h"
#include "texture.h"

namespace softgpu {

/** A texture reference.
 *  @tparam T     an element
 *  @tparam dim   cudaTextureType1D and its like
 *  @tparam mode  with cudaReadModeNormalizedFloat a fetch returns floats */
template <class T, int dim = cudaTextureType1D,
          cudaTextureReadMode mode = cudaReadModeElementType>
struct texture_reference : textureReference {
    /** Bound to nothing. */
    constexpr texture_reference(
        int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
        cudaTextureAddressMode address = cudaAddressModeClamp,
        cudaChannelFormatDesc desc = {})
        : textureReference{normalized, filter, {address, address, address},
                           desc, 0, 0, cudaFilterModePoint, 0, 0, 0, 0, mode, 0}
    {
    }
};

/** What a fetch returns: an element. */
template <class T, cudaTextureReadMode mode> struct fetched {
    /** The type. */
    typedef T type;
};

/** The vector of as many floats as a vector T of CUDA has components. */
template <class T, size_t components> struct floats_of;
/** One. */
template <class T> struct floats_of<T, 1> {
    /** The type. */
    typedef float1 type;
};
/** Two. */
template <class T> struct floats_of<T, 2> {
    /** The type. */
    typedef float2 type;
};
/** Four. */
template <class T> struct floats_of<T, 4> {
    /** The type. */
    typedef float4 type;
};

/** Normalized: a float, or a vector of them. */
template <class T> struct fetched<T, cudaReadModeNormalizedFloat> {
    /** The type of a T that is a vector. */
    template <class V>
    static typename floats_of<V, sizeof(V) / sizeof(V::x)>::type of(const V *);
    /** Of a number of 8 bits. */
    static float of(const unsigned char *);
    /** Likewise. */
    static float of(const signed char *);
    /** Likewise. */
    static float of(const char *);
    /** Of a number of 16 bits. */
    static float of(const unsigned short *);
    /** Likewise. */
    static float of(const short *);
    /** The type. */
    typedef decltype(of(static_cast<const T *>(nullptr))) type;
};

} // namespace softgpu

/** @cond: the functions of texture.h, for references */
#define SOFTGPU_REF(name, dim, parameters, arguments)                         \
    template <class T, cudaTextureReadMode mode>                              \
    SOFTGPU_FN typename softgpu::fetched<T, mode>::type name(                 \
        const softgpu::texture_reference<T, dim, mode> &t,                    \
        SOFTGPU_PARENS parameters)                                            \
    {                                                                         \
        return name<typename softgpu::fetched<T, mode>::type>(                \
            (cudaTextureObject_t)softgpu_texture_bound(&t),                   \
            SOFTGPU_PARENS arguments);                                        \
    }
#define SOFTGPU_PARENS(...) __VA_ARGS__
SOFTGPU_REF(tex1Dfetch, cudaTextureType1D, (int x), (x))
SOFTGPU_REF(tex1D, cudaTextureType1D, (float x), (x))
SOFTGPU_REF(tex1DLod, cudaTextureType1D, (float x, float lod), (x, lod))
SOFTGPU_REF(tex2D, cudaTextureType2D, (float x, float y), (x, y))
SOFTGPU_REF(tex2DLod, cudaTextureType2D, (float x, float y, float lod),
            (x, y, lod))
SOFTGPU_REF(tex2DGrad, cudaTextureType2D,
            (float x, float y, float2 dx, float2 dy), (x, y, dx, dy))
SOFTGPU_REF(tex2Dgather, cudaTextureType2D, (float x, float y, int part = 0),
            (x, y, part))
SOFTGPU_REF(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
SOFTGPU_REF(tex3DLod, cudaTextureType3D,
            (float x, float y, float z, float lod), (x, y, z, lod))
SOFTGPU_REF(tex1DLayered, cudaTextureType1DLayered, (float x, int layer),
            (x, layer))
SOFTGPU_REF(tex2DLayered, cudaTextureType2DLayered,
            (float x, float y, int layer), (x, y, layer))
SOFTGPU_REF(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z),
            (x, y, z))
SOFTGPU_REF(texCubemapLayered, cudaTextureTypeCubemapLayered,
            (float x, float y, float z, int layer), (x, y, z, layer))
#undef SOFTGPU_REF
/** @endcond */

/** Bind a reference to linear memory. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t
cudaBindTexture(size_t *offset,
                const softgpu::texture_reference<T, dim, mode> &texture,
                const void *ptr, const cudaChannelFormatDesc &desc,
                size_t bytes = 0xffffffffu)
{
    return cudaBindTexture(offset, &texture, ptr, &desc, bytes);
}
/** With the format of T. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t
cudaBindTexture(size_t *offset,
                const softgpu::texture_reference<T, dim, mode> &texture,
                const void *ptr, size_t bytes = 0xffffffffu)
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    return cudaBindTexture(offset, &texture, ptr, &desc, bytes);
}
/** Bind a reference to rows of memory. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t
cudaBindTexture2D(size_t *offset,
                  const softgpu::texture_reference<T, dim, mode> &texture,
                  const void *ptr, const cudaChannelFormatDesc &desc,
                  size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, &texture, ptr, &desc, width, height,
                             pitch);
}
/** With the format of T. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t
cudaBindTexture2D(size_t *offset,
                  const softgpu::texture_reference<T, dim, mode> &texture,
                  const void *ptr, size_t width, size_t height, size_t pitch)
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    return cudaBindTexture2D(offset, &texture, ptr, &desc, width, height,
                             pitch);
}
/** Bind a reference to an array. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(
    const softgpu::texture_reference<T, dim, mode> &texture,
    cudaArray_const_t array, const cudaChannelFormatDesc &desc)
{
    return cudaBindTextureToArray(&texture, array, &desc);
}
/** With the format of T. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(
    const softgpu::texture_reference<T, dim, mode> &texture,
    cudaArray_const_t array)
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    return cudaBindTextureToArray(&texture, array, &desc);
}
/** Bind a reference to a mipmapped array. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToMipmappedArray(
    const softgpu::texture_reference<T, dim, mode> &texture,
    cudaMipmappedArray_const_t array, const cudaChannelFormatDesc &desc)
{
    return cudaBindTextureToMipmappedArray(&texture, array, &desc);
}
/** Bind a reference to nothing. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t
cudaUnbindTexture(const softgpu::texture_reference<T, dim, mode> &texture)
{
    return cudaUnbindTexture(&texture);
}
/** The offset of its binding: 0. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(
    size_t *offset, const softgpu::texture_reference<T, dim, mode> &texture)
{
    return cudaGetTextureAlignmentOffset(offset, &texture);
}

#endif
