/* SPDX-License-Identifier: MIT */
/* The figures of the cards, against each other and against NVIDIA's data
 * sheets: a wrong digit in the table shows here. */
#include "common/softgpu/cards/card.h"
#include "common/softgpu/cards/occupancy.h"
#include "model_tests.h"

/** Data sheet figures in TFLOP/s; an FMA is two operations. */
static const struct {
    const char *card;
    double fp32, fp64, tensor; /* tensor: dense, half with float accumulation */
} sheets[] = {
    {"h200", 67, 34, 989},      {"h100", 67, 34, 989},
    {"a100", 19.5, 9.7, 312},   {"v100", 15.7, 7.8, 125},
    {"rtx4090", 82.6, 1.29, 165.2}, {"rtx3060", 12.7, 0.199, 25.5},
    {"t4", 8.1, 0.254, 65},     {"a6000", 38.7, 0.605, 77.4},
};

/* Tera-operations per second of this number of lanes per SM. */
static double tera(const struct softgpu_card *c, double lanes)
{
    return 2 * lanes * c->sms * c->clock_khz / 1e9;
}

/* Hopper's data sheet uses a lower clock for tensor cores: 10 %. */
static void peaks(void)
{
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        const struct softgpu_card *c = softgpu_find_card(sheets[i].card);
        const double fp32 = c->fp32_lanes;
        CU_ASSERT_DOUBLE_EQUAL(tera(c, fp32), sheets[i].fp32,
                               0.01 * sheets[i].fp32);
        CU_ASSERT_DOUBLE_EQUAL(tera(c, fp32 / c->fp64_ratio), sheets[i].fp64,
                               0.02 * sheets[i].fp64);
        CU_ASSERT_DOUBLE_EQUAL(tera(c, c->tensor_fma), sheets[i].tensor,
                               0.10 * sheets[i].tensor);
    }
}

/* Two transfers per clock over the whole bus. */
static void memory(void)
{
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        const struct softgpu_card *c = softgpu_find_card(sheets[i].card);
        const double gbs = 2.0 * c->memory_khz * c->bus_bits / 8 / 1e6;
        CU_ASSERT_DOUBLE_EQUAL(gbs, c->dram_gbs, 0.03 * gbs);
        CU_ASSERT(c->l2_gbs > 1.5 * c->dram_gbs);
    }
}

/* Latency rises with distance; shared memory and L1 are one unit. */
static void order(void)
{
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        const struct softgpu_card *c = softgpu_find_card(sheets[i].card);
        CU_ASSERT(0 < c->shared_cycles && c->shared_cycles <= c->l1_cycles);
        CU_ASSERT(c->l1_cycles < c->l2_cycles);
        CU_ASSERT(c->l2_cycles < c->dram_cycles);
        CU_ASSERT(c->shared_block <= c->shared_optin);
        CU_ASSERT(c->shared_optin + c->shared_reserved <= c->shared_sm);
        CU_ASSERT(c->shared_sm < c->l1_bytes);
        CU_ASSERT(c->launch_ns >= 1000 && c->launch_ns <= 5000);
    }
}

/* Blocks of an SM of the H200, computed by hand. */
static void blocks_of_an_sm(void)
{
    const struct {
        struct softgpu_block_resources needs; /* threads, registers, shared */
        int blocks;
        enum occupancy_limit limit;
    } rows[] = {
        {{256, 32, 0}, 8, BY_THREADS},
        {{1024, 32, 0}, 2, BY_THREADS},
        {{1025, 32, 0}, 0, BY_THREADS},
        {{65, 16, 0}, 21, BY_THREADS}, /* 3 warps of 64 */
        /* 12 warps in each of 4 partitions, where 51 fit into the SM */
        {{544, 40, 0}, 2, BY_REGISTERS},
        {{64, 32, 45 << 10}, 4, BY_SHARED}, /* 46 KB of 228 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum occupancy_limit limit;
        CU_ASSERT_EQUAL(softgpu_occupancy(softgpu_find_card("h200"),
                                          &rows[i].needs, &limit),
                        rows[i].blocks);
        CU_ASSERT_EQUAL(limit, rows[i].limit);
    }
}

CU_TestInfo card_tests[] = {{"peaks of the data sheets", peaks},
                            {"memory's clock, bus and rate", memory},
                            {"latencies and sizes", order},
                            {"blocks of an SM", blocks_of_an_sm},
                            CU_TEST_INFO_NULL};
