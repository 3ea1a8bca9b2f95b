/* SPDX-License-Identifier: MIT */
/** @file
 *  Elements of textures: address modes and read modes, after the CUDA C++
 *  Programming Guide, "Texture Fetching".
 */
#include "texel.h"

#include <math.h>
#include <string.h>

#include "common/softgpu/host/half.h"

#define FARTHEST 1e9 /* coordinates beyond are as far outside as this */

/* Wrap and mirror need normalized coordinates, else they are clamp. */
static enum cudaTextureAddressMode mode_of(const struct softgpu_object *t,
                                           int dimension)
{
    const enum cudaTextureAddressMode m = t->desc.addressMode[dimension];
    const int repeats = m == cudaAddressModeWrap || m == cudaAddressModeMirror;
    return repeats && !t->desc.normalizedCoords ? cudaAddressModeClamp : m;
}

double softgpu_texture_coordinate(const struct softgpu_object *t,
                                  int dimension, float coordinate,
                                  int64_t size)
{
    const enum cudaTextureAddressMode mode = mode_of(t, dimension);
    double x = fmin(fmax((double)coordinate, -FARTHEST), FARTHEST);
    if (isnan(coordinate))
        x = 0;
    if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) {
        const double whole = floor(x);
        const int is_odd = fmod(whole, 2) != 0;
        x -= whole;
        if (mode == cudaAddressModeMirror && is_odd)
            x = 1 - x;
    }
    return t->desc.normalizedCoords ? x * (double)size : x;
}

int64_t softgpu_texture_index(const struct softgpu_object *t, int dimension,
                              int64_t i, int64_t size)
{
    const enum cudaTextureAddressMode mode = mode_of(t, dimension);
    if (i >= 0 && i < size)
        return i;
    if (mode == cudaAddressModeBorder)
        return -1;
    if (mode == cudaAddressModeWrap)
        return (i % size + size) % size;
    return i < 0 ? 0 : size - 1;
}

/* A channel of 8 or 16 bits as a number in [0, 1] or [-1, 1]. */
static uint32_t normalized(const struct softgpu_format *f, int32_t value)
{
    const float most = (float)((1 << (f->bits - 1)) - 1);
    if (f->kind == cudaChannelFormatKindUnsigned)
        return float_to_bits((float)value / (2 * most + 1));
    return float_to_bits(fmaxf((float)value / most, -1.0f));
}

/* A channel: a float, or an integer extended to 32 bits. */
static uint32_t read_channel(const struct softgpu_format *f, const char *p)
{
    uint32_t word = 0;
    memcpy(&word, p, (size_t)f->bits / 8);
    if (f->kind == cudaChannelFormatKindFloat)
        return f->bits == 32 ? word
                             : float_to_bits(half_to_float((uint16_t)word));
    if (f->kind == cudaChannelFormatKindSigned && f->bits < 32) {
        const int unused = 32 - f->bits;
        word = (uint32_t)((int32_t)(word << unused) >> unused);
    }
    return word;
}

/* The border color, as the components are: floats, or integers. */
static struct softgpu_texel border(const struct softgpu_object *t)
{
    const int is_float = t->format.kind == cudaChannelFormatKindFloat
                         || t->desc.readMode == cudaReadModeNormalizedFloat;
    struct softgpu_texel texel = {{0}};
    for (int c = 0; c < t->format.channels; c++) {
        const float color = t->desc.borderColor[c];
        texel.word[c] = is_float ? float_to_bits(color)
                                 : (uint32_t)(int32_t)color;
    }
    return texel;
}

struct softgpu_texel softgpu_read_texel(const struct softgpu_object *t,
                                        const struct softgpu_image *level,
                                        const int64_t *at,
                                        const struct softgpu_caller *caller)
{
    const struct softgpu_format *f = &t->format;
    struct softgpu_texel texel = {{0}};
    if (at[0] < 0 || at[1] < 0 || at[2] < 0)
        return border(t);
    const char *p = level->base + (size_t)at[2] * level->slice
                    + (size_t)at[1] * level->pitch
                    + (size_t)at[0] * (size_t)f->bytes;
    if (softgpu_texel_access)
        softgpu_texel_access(p, (uint32_t)f->bytes, 0, caller);
    for (int c = 0; c < f->channels; c++) {
        texel.word[c] = read_channel(f, p + c * f->bits / 8);
        if (t->desc.readMode == cudaReadModeNormalizedFloat
            && f->kind != cudaChannelFormatKindFloat)
            texel.word[c] = normalized(f, (int32_t)texel.word[c]);
    }
    return texel;
}
