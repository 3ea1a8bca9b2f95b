/* SPDX-License-Identifier: MIT */
/** @file
 *  Surfaces: reads and writes of an array's bytes, by boundary mode.
 */
#include <string.h>

#include "object.h"

/* Does the last coordinate choose a layer or a face? */
static int is_layered(enum softgpu_shape shape)
{
    return shape != SOFTGPU_1D && shape != SOFTGPU_2D && shape != SOFTGPU_3D;
}

/* cudaBoundaryModeClamp. */
static int64_t clamp(int64_t i, int64_t count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

/* The bytes of an access.
 * @return NULL: outside, with cudaBoundaryModeZero */
static char *find_bytes(const struct softgpu_object *o,
                        const struct softgpu_surface_place *p,
                        const struct softgpu_caller *caller)
{
    const struct softgpu_image *i = &o->level[0];
    const int64_t row = (int64_t)i->pitch;
    int64_t x = p->x, y = p->y, z = p->z;
    const int inside = x >= 0 && x + p->bytes <= row && y >= 0
                       && y < i->height && z >= 0 && z < i->depth;
    if (x % p->bytes)
        softgpu_texture_fail(caller->site, "x is byte %d of a surface, no "
                             "multiple of the %d bytes accessed", p->x,
                             p->bytes);
    if (!inside && p->mode == cudaBoundaryModeTrap)
        softgpu_texture_fail(caller->site, "byte %d of row %d, %s %d is "
                             "outside of the surface of %lld bytes, %lld rows, "
                             "%lld slices", p->x, p->y,
                             is_layered(o->shape) ? "layer" : "slice", p->z,
                             (long long)row, (long long)i->height,
                             (long long)i->depth);
    if (!inside && p->mode == cudaBoundaryModeZero)
        return NULL;
    x = clamp(x / p->bytes, row / p->bytes) * p->bytes;
    y = clamp(y, i->height);
    z = clamp(z, i->depth);
    return i->base + (size_t)z * i->slice + (size_t)y * i->pitch + (size_t)x;
}

void softgpu_surface_read(void *to, uint64_t surface,
                          const struct softgpu_surface_place *p)
{
    const struct softgpu_caller caller = SOFTGPU_TEXTURE_CALLER;
    const struct softgpu_object *o = softgpu_use_object(
        surface, SOFTGPU_SURFACE, p->shape, caller.site);
    const char *from = find_bytes(o, p, &caller);
    if (from && softgpu_texel_access)
        softgpu_texel_access(from, (uint32_t)p->bytes, 0, &caller);
    if (from)
        memcpy(to, from, (size_t)p->bytes);
    else
        memset(to, 0, (size_t)p->bytes);
}

void softgpu_surface_write(const void *from, uint64_t surface,
                           const struct softgpu_surface_place *p)
{
    const struct softgpu_caller caller = SOFTGPU_TEXTURE_CALLER;
    const struct softgpu_object *o = softgpu_use_object(
        surface, SOFTGPU_SURFACE, p->shape, caller.site);
    char *to = find_bytes(o, p, &caller);
    if (to && softgpu_texel_access)
        softgpu_texel_access(to, (uint32_t)p->bytes, 1, &caller);
    if (to)
        memcpy(to, from, (size_t)p->bytes);
}
