/* SPDX-License-Identifier: MIT */
/** @file
 *  Device functions that read and write surface objects.  x counts bytes, as
 *  in CUDA; y rows; the last coordinate is a slice, a layer or a face.  T has
 *  1, 2, 4, 8 or 16 bytes, and x is a multiple of them.
 */
#ifndef SOFTGPU_SURFACE_H
#define SOFTGPU_SURFACE_H

#include "inline.h"
#include "texture_abi.h"
#include "texture.h"
#include "texture_types.h"

/** @cond: the three forms of an access; P are its coordinates, A their names,
 *  y and z those of a surface with three dimensions */
#define SOFTGPU_SURFACE(name, shape, P, A, Y, Z)                              \
    template <class T>                                                        \
    SOFTGPU_FN T name##read(                                                  \
        cudaSurfaceObject_t object, SOFTGPU_PARENS P,                         \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                  \
    {                                                                         \
        T result;                                                             \
        const softgpu_surface_place where = {shape, x, Y, Z, mode,            \
                                             (int)sizeof(T)};                 \
        softgpu_surface_read((void *)&result, object, &where);                \
        return result;                                                        \
    }                                                                         \
    template <class T>                                                        \
    SOFTGPU_FN void name##read(                                               \
        T *to, cudaSurfaceObject_t object, SOFTGPU_PARENS P,                  \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                  \
    {                                                                         \
        *to = name##read<T>(object, SOFTGPU_PARENS A, mode);                  \
    }                                                                         \
    template <class T>                                                        \
    SOFTGPU_FN void name##write(                                              \
        T value, cudaSurfaceObject_t object, SOFTGPU_PARENS P,                \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                  \
    {                                                                         \
        const softgpu_surface_place where = {shape, x, Y, Z, mode,            \
                                             (int)sizeof(T)};                 \
        softgpu_surface_write((const void *)&value, object, &where);          \
    }
SOFTGPU_SURFACE(surf1D, SOFTGPU_1D, (int x), (x), 0, 0)
SOFTGPU_SURFACE(surf2D, SOFTGPU_2D, (int x, int y), (x, y), y, 0)
SOFTGPU_SURFACE(surf3D, SOFTGPU_3D, (int x, int y, int z), (x, y, z), y, z)
SOFTGPU_SURFACE(surf1DLayered, SOFTGPU_1D_LAYERED, (int x, int layer),
                (x, layer), 0, layer)
SOFTGPU_SURFACE(surf2DLayered, SOFTGPU_2D_LAYERED, (int x, int y, int layer),
                (x, y, layer), y, layer)
SOFTGPU_SURFACE(surfCubemap, SOFTGPU_CUBEMAP, (int x, int y, int face),
                (x, y, face), y, face)
SOFTGPU_SURFACE(surfCubemapLayered, SOFTGPU_CUBEMAP_LAYERED,
                (int x, int y, int layerface), (x, y, layerface), y,
                layerface)
#undef SOFTGPU_SURFACE
#undef SOFTGPU_PARENS
/** @endcond */

#endif
