/* SPDX-License-Identifier: MIT */
/** @file
 *  Unfiltered reads of textures: tex1Dfetch() and tex2Dgather().
 */
#include <string.h>

#include "sample.h"

void (*softgpu_texel_access)(const void *p, uint32_t bytes, int write,
                             const struct softgpu_caller *caller);

void softgpu_texture_element(uint32_t *to, uint64_t texture, int i)
{
    const struct softgpu_caller caller = SOFTGPU_TEXTURE_CALLER;
    const struct softgpu_object *t = softgpu_use_object(
        texture, SOFTGPU_TEXTURE, SOFTGPU_LINEAR, caller.site);
    const int64_t at[3] = {i, 0, 0};
    struct softgpu_texel texel = {{0}};
    if (i >= 0 && i < t->level[0].width)
        texel = softgpu_read_texel(t, &t->level[0], at, &caller);
    memcpy(to, texel.word, sizeof texel.word);
}

void softgpu_texture_gather(uint32_t *to, uint64_t texture,
                            const float *place, int component)
{
    static const int dx[4] = {0, 1, 1, 0}, dy[4] = {1, 1, 0, 0};
    const struct softgpu_caller caller = SOFTGPU_TEXTURE_CALLER;
    const struct softgpu_object *t = softgpu_use_object(
        texture, SOFTGPU_TEXTURE, SOFTGPU_2D, caller.site);
    const struct softgpu_image *level = &t->level[0];
    double unused;
    const int64_t x = softgpu_texture_footprint(t, 0, place[0], level->width,
                                                &unused),
                  y = softgpu_texture_footprint(t, 1, place[1], level->height,
                                                &unused);
    if (t->array && !(t->array->flags & cudaArrayTextureGather))
        softgpu_texture_fail(caller.site, "tex2Dgather() needs an array with "
                             "cudaArrayTextureGather");
    for (int i = 0; i < 4; i++) {
        const int64_t at[3] = {
            softgpu_texture_index(t, 0, x + dx[i], level->width),
            softgpu_texture_index(t, 1, y + dy[i], level->height), 0};
        to[i] = softgpu_read_texel(t, level, at, &caller)
                    .word[component & 3];
    }
}
