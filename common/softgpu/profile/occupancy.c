/* SPDX-License-Identifier: MIT */
/* Occupancy of a profiled kernel, by cards/occupancy.c. */
#include "occupancy.h"

#define WARP 32

struct softgpu_block_resources kernel_block_needs(
    const struct kernel_profile *k)
{
    return (struct softgpu_block_resources){
        .threads = (int)(k->block.x * k->block.y * k->block.z),
        .registers = (int)k->registers,
        .shared = (size_t)k->static_shared + k->dynamic_shared};
}

int model_occupancy(const struct softgpu_card *card, struct kernel_profile *k)
{
    const struct softgpu_block_resources needs = kernel_block_needs(k);
    const int fit = softgpu_occupancy(card, &needs, &k->occupancy_limit);
    const int blocks = fit > 0 ? fit : 1;
    const int warps = (needs.threads + WARP - 1) / WARP;
    const double resident = (double)blocks * warps * WARP / card->threads_sm;
    k->occupancy = resident < 1 ? resident : 1;
    return blocks;
}
