/* SPDX-License-Identifier: MIT */
/* How far latency is hidden: by queues, and by work on another tile. */
#include "common/softgpu/profile/model_input.h"
#include "common/softgpu/profile/profile.h"
#include "model_tests.h"

/* One customer waits and works in turn; many hide the shorter of both; of two,
 * each finds the other one at the unit in half of the cases. */
static void closed_networks(void)
{
    CU_ASSERT_DOUBLE_EQUAL(model_closed_network(30, 50, 1), 80, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(model_closed_network(5, 10, 2), 12.5, 1e-9);
    CU_ASSERT(model_closed_network(30, 50, 1000) < 50.1);
    CU_ASSERT(model_closed_network(50, 30, 1000) < 50.1);
    CU_ASSERT_DOUBLE_EQUAL(model_closed_network(50, 0, 4), 50, 1e-9);
}

/* Latency of a block of 8 warps, each with 16 tiles of one load, of which
 * `ahead` are in flight while an earlier tile is used. */
static double tile_latency(unsigned ahead)
{
    struct kernel_profile k = {
        .name = "k", .launches = 1, .grid = {1, 1, 1}, .block = {256, 1, 1},
        .blocks = 1, .blocks_watched = 1, .threads = 256, .registers = 32};

    k.total.barriers = 16;
    k.total.warp_instructions = 8 * 4000;
    k.total.global_load_requests = k.total.global_load_waiting = 8 * 16;
    k.total.global_load_ahead = 8 * ahead;
    model_kernel(softgpu_find_card("h200"), &k);
    return k.model.ceiling[7];
}

/* The first load of a row of tiles is waited for, the others overlap. */
static void loads_ahead(void)
{
    CU_ASSERT(tile_latency(15) < 0.9 * tile_latency(0));
    CU_ASSERT(tile_latency(15) > 0.5 * tile_latency(0));
    CU_ASSERT(tile_latency(8) < tile_latency(0));
}

CU_TestInfo model_latency_tests[] = {
    {"closed networks", closed_networks},
    {"loads ahead of a tile", loads_ahead},
    CU_TEST_INFO_NULL};
