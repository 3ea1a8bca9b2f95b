/* SPDX-License-Identifier: MIT */
/** @file
 *  Between the functions of texture.h and surface.h and the runtime
 *  (common/softgpu/texture).  A number that is no object, or one of another
 *  shape, ends the kernel with cudaErrorLaunchFailure.
 */
#ifndef SOFTGPU_TEXTURE_ABI_H
#define SOFTGPU_TEXTURE_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Shape of the object that a function expects. */
enum softgpu_shape {
    SOFTGPU_1D,              /**< tex1D() */
    SOFTGPU_2D,              /**< tex2D() */
    SOFTGPU_3D,              /**< tex3D() */
    SOFTGPU_1D_LAYERED,      /**< tex1DLayered() */
    SOFTGPU_2D_LAYERED,      /**< tex2DLayered() */
    SOFTGPU_CUBEMAP,         /**< texCubemap() */
    SOFTGPU_CUBEMAP_LAYERED, /**< texCubemapLayered() */
    SOFTGPU_LINEAR           /**< tex1Dfetch() */
};

/** Where a texture is sampled. */
struct softgpu_sample {
    enum softgpu_shape shape;
    int layer;            /**< of a layered texture */
    float at[3];          /**< coordinates; those it lacks are 0 */
    float lod;            /**< level of detail */
    int has_gradient;     /**< 1: the level comes from the gradient */
    float gradient[2][3]; /**< of the coordinates, in x and y of the screen */
};

/** Sample a texture.
 *  @param[out] to  4 components: bits of a float, or an integer extended to
 *                  32 bits; 0 for channels that the format lacks */
void softgpu_texture_sample(uint32_t *to, uint64_t texture,
                            const struct softgpu_sample *sample);
/** Element i of a linear texture, 0 outside of it.  @param[out] to  as of
 *  softgpu_texture_sample() */
void softgpu_texture_element(uint32_t *to, uint64_t texture, int i);
/** One component of the four elements that tex2D() would interpolate.
 *  @param[out] to  as of softgpu_texture_sample(), one for each element */
void softgpu_texture_gather(uint32_t *to, uint64_t texture,
                            const float *at, int component);

struct textureReference;
/** The object that a texture reference is bound to; a kernel fails if it is
 *  bound to none. */
uint64_t softgpu_texture_bound(const struct textureReference *texture);

/** A place in a surface. */
struct softgpu_surface_place {
    enum softgpu_shape shape;
    int x;      /**< byte of the row */
    int y;      /**< row */
    int z;      /**< slice, layer or face */
    int mode;   /**< enum cudaSurfaceBoundaryMode */
    int bytes;  /**< of the access: 1, 2, 4, 8 or 16 */
};
/** Read from a surface.  @param[out] to  `bytes` bytes */
void softgpu_surface_read(void *to, uint64_t surface,
                          const struct softgpu_surface_place *place);
/** Write to a surface.  @param[in] from  `bytes` bytes */
void softgpu_surface_write(const void *from, uint64_t surface,
                           const struct softgpu_surface_place *place);

#ifdef __cplusplus
}
#endif

#endif
