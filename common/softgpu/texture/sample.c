/* SPDX-License-Identifier: MIT */
/** @file
 *  Sampling of textures: point and linear filter within a level and between
 *  levels, after the CUDA C++ Programming Guide, "Texture Fetching".  The
 *  weights of linear filtering have 8 fractional bits, as on a card; the sum
 *  is computed in double precision and rounded once.
 */
#include "sample.h"

#include <math.h>

#include "common/softgpu/host/half.h"

enum { DIMENSIONS = 3, FRACTION = 256 /* of the weights */ };

/* The components of a level's sample as numbers. */
struct numbers {
    double c[4];
};

/* Layers and faces are chosen, not sampled. */
static int dimensions_of(enum softgpu_shape shape)
{
    return shape == SOFTGPU_1D || shape == SOFTGPU_1D_LAYERED ? 1
           : shape == SOFTGPU_3D                              ? 3
                                                              : 2;
}

int64_t softgpu_texture_footprint(const struct softgpu_object *t,
                                  int dimension, float x, int64_t size,
                                  double *weight)
{
    const double at =
        softgpu_texture_coordinate(t, dimension, x, size) - 0.5;
    const int64_t fixed = (int64_t)floor(at * FRACTION + 0.5);
    const int64_t first =
        (fixed >= 0 ? fixed : fixed - (FRACTION - 1)) / FRACTION;
    *weight = (double)(fixed - first * FRACTION) / FRACTION;
    return first;
}

/* cudaFilterModePoint: the texel that holds the place. */
static struct softgpu_texel sample_point(const struct softgpu_object *t,
                                         const struct softgpu_image *level,
                                         const struct softgpu_place *p,
                                         const struct softgpu_caller *caller)
{
    const int64_t size[DIMENSIONS] = {level->width, level->height,
                                      level->depth};
    int64_t at[DIMENSIONS] = {0, 0, p->slice};
    for (int d = 0; d < p->dimensions; d++) {
        const double x =
            softgpu_texture_coordinate(t, d, p->at[d], size[d]);
        at[d] = softgpu_texture_index(t, d, (int64_t)floor(x), size[d]);
    }
    return softgpu_read_texel(t, level, at, caller);
}

/* Add one neighbor; bit d of `corner` selects the second one in dimension d. */
static void add_corner(struct numbers *sum, const struct softgpu_texel *texel,
                       double weight)
{
    for (int c = 0; c < 4; c++)
        sum->c[c] += weight * (double)bits_to_float(texel->word[c]);
}

/* cudaFilterModeLinear: 2, 4 or 8 texels with fractions of 8 bits. */
static struct numbers sample_linear(const struct softgpu_object *t,
                                    const struct softgpu_image *level,
                                    const struct softgpu_place *p,
                                    const struct softgpu_caller *caller)
{
    const int64_t size[DIMENSIONS] = {level->width, level->height,
                                      level->depth};
    int64_t first[DIMENSIONS], at[DIMENSIONS] = {0, 0, p->slice};
    double fraction[DIMENSIONS];
    struct numbers sum = {{0}};
    for (int d = 0; d < p->dimensions; d++)
        first[d] = softgpu_texture_footprint(t, d, p->at[d], size[d],
                                             &fraction[d]);
    for (int corner = 0; corner < 1 << p->dimensions; corner++) {
        double weight = 1;
        for (int d = 0; d < p->dimensions; d++) {
            const int second = corner >> d & 1;
            weight *= second ? fraction[d] : 1 - fraction[d];
            at[d] = softgpu_texture_index(t, d, first[d] + second, size[d]);
        }
        const struct softgpu_texel texel =
            softgpu_read_texel(t, level, at, caller);
        add_corner(&sum, &texel, weight);
    }
    return sum;
}

/* A level's sample as numbers, for blending levels. */
static struct numbers sample_level(const struct softgpu_object *t, int level,
                                   const struct softgpu_place *p,
                                   const struct softgpu_caller *caller)
{
    struct numbers result = {{0}};
    if (t->desc.filterMode == cudaFilterModeLinear)
        return sample_linear(t, &t->level[level], p, caller);
    const struct softgpu_texel texel =
        sample_point(t, &t->level[level], p, caller);
    add_corner(&result, &texel, 1);
    return result;
}

/* All four channels as floats. */
static void store(uint32_t *to, const struct numbers *from)
{
    for (int c = 0; c < 4; c++)
        to[c] = float_to_bits((float)from->c[c]);
}

/* --- levels --------------------------------------------------------------- */

/* log2 of the longer gradient in elements of level 0. */
static double lod_of_gradient(const struct softgpu_object *t,
                              const struct softgpu_sample *s, int dimensions)
{
    const int64_t size[DIMENSIONS] = {t->level[0].width, t->level[0].height,
                                      t->level[0].depth};
    double most = 0;
    for (int g = 0; g < 2; g++) {
        double sum = 0;
        for (int d = 0; d < dimensions; d++) {
            const double x = s->gradient[g][d] * (double)size[d];
            sum += x * x;
        }
        most = fmax(most, sum);
    }
    return log2(most) / 2;
}

/* The level of detail after bias and clamps, within the levels. */
static double clamped_lod(const struct softgpu_object *t,
                          const struct softgpu_sample *s, int dimensions)
{
    double lod = s->has_gradient ? lod_of_gradient(t, s, dimensions) : s->lod;
    if (isnan(lod))
        lod = 0;
    lod += t->desc.mipmapLevelBias;
    lod = fmin(fmax(lod, t->desc.minMipmapLevelClamp),
               t->desc.maxMipmapLevelClamp);
    return fmin(fmax(lod, 0), t->levels - 1);
}

/* Blend two levels with a weight of 8 fractional bits. */
static void blend_levels(uint32_t *to, const struct softgpu_object *t,
                         double lod, const struct softgpu_place *p,
                         const struct softgpu_caller *caller)
{
    const int fixed = (int)floor(lod * FRACTION + 0.5);
    const int first = fixed / FRACTION;
    const double weight = (double)(fixed % FRACTION) / FRACTION;
    struct numbers sum = sample_level(t, first, p, caller);
    if (weight > 0) {
        const struct numbers next = sample_level(t, first + 1, p, caller);
        for (int c = 0; c < 4; c++)
            sum.c[c] = (1 - weight) * sum.c[c] + weight * next.c[c];
    }
    store(to, &sum);
}

/* One level, or a blend of two. */
static void sample_place(uint32_t *to, const struct softgpu_object *t,
                         double lod, const struct softgpu_place *p,
                         const struct softgpu_caller *caller)
{
    const int is_float = t->format.kind == cudaChannelFormatKindFloat
                         || t->desc.readMode == cudaReadModeNormalizedFloat;
    if (t->levels > 1 && t->desc.mipmapFilterMode == cudaFilterModeLinear
        && is_float) {
        blend_levels(to, t, lod, p, caller);
        return;
    }
    const int level = (int)floor(lod + 0.5);
    if (t->desc.filterMode == cudaFilterModeLinear) {
        const struct numbers sum = sample_level(t, level, p, caller);
        store(to, &sum);
        return;
    }
    const struct softgpu_texel texel =
        sample_point(t, &t->level[level], p, caller);
    for (int c = 0; c < 4; c++)
        to[c] = texel.word[c];
}

/* --- shapes --------------------------------------------------------------- */

/* The face of a direction, and the coordinates on it in [0, 1]. */
static int choose_face(const float *at, float *place)
{
    const float x = at[0], y = at[1], z = at[2];
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    float m, s, t;
    int face;
    if (ax >= ay && ax >= az) {
        face = x > 0 ? 0 : 1;
        m = ax;
        s = x > 0 ? -z : z;
        t = -y;
    } else if (ay >= az) {
        face = y > 0 ? 2 : 3;
        m = ay;
        s = x;
        t = y > 0 ? z : -z;
    } else {
        face = z > 0 ? 4 : 5;
        m = az;
        s = z > 0 ? x : -x;
        t = -y;
    }
    place[0] = m > 0 ? (s / m + 1) / 2 : 0;
    place[1] = m > 0 ? (t / m + 1) / 2 : 0;
    return face;
}

/* A layer beyond the last one is the last one. */
static int64_t clamp_layer(int64_t layer, int64_t layers)
{
    return layer < 0 ? 0 : layer >= layers ? layers - 1 : layer;
}

/* Where to sample: coordinates, and the slice of a layer or face. */
static struct softgpu_place place_of(const struct softgpu_object *t,
                                     const struct softgpu_sample *s)
{
    const int64_t depth = t->level[0].depth;
    struct softgpu_place p = {.dimensions = dimensions_of(s->shape),
                              .at = {s->at[0], s->at[1], s->at[2]}};
    if (s->shape == SOFTGPU_CUBEMAP)
        p.slice = choose_face(s->at, p.at);
    else if (s->shape == SOFTGPU_CUBEMAP_LAYERED)
        p.slice = 6 * clamp_layer(s->layer, depth / 6)
                  + choose_face(s->at, p.at);
    else if (s->shape != SOFTGPU_3D)
        p.slice = clamp_layer(s->layer, depth);
    return p;
}

void softgpu_texture_sample(uint32_t *to, uint64_t texture,
                            const struct softgpu_sample *s)
{
    const struct softgpu_caller caller = SOFTGPU_TEXTURE_CALLER;
    const struct softgpu_object *t = softgpu_use_object(
        texture, SOFTGPU_TEXTURE, s->shape, caller.site);
    const struct softgpu_place p = place_of(t, s);
    const double lod =
        t->levels > 1 ? clamped_lod(t, s, p.dimensions) : 0;
    sample_place(to, t, lod, &p, &caller);
}
