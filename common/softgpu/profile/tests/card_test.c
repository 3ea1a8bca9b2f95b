/* SPDX-License-Identifier: MIT */
/* The cards' figures against each other and against what NVIDIA advertises:
 * a slip of a digit in the table shows here. */
#include "../../cards/card.h"
#include "model_tests.h"

/** What a data sheet promises, in TFLOP/s; a fused operation is two. */
static const struct {
    const char *card;
    double fp32, fp64, tensor; /* tensor: half with sums in float, dense */
} sheets[] = {
    {"h200", 67, 34, 989},      {"h100", 67, 34, 989},
    {"a100", 19.5, 9.7, 312},   {"v100", 15.7, 7.8, 125},
    {"rtx4090", 82.6, 1.29, 165.2}, {"rtx3060", 12.7, 0.199, 25.5},
    {"t4", 8.1, 0.254, 65},     {"a6000", 38.7, 0.605, 77.4},
};

/* Tera-operations a second of so many lanes in each SM. */
static double tera(const struct softgpu_card *c, double lanes)
{
    return 2 * lanes * c->sms * c->clock_khz / 1e9;
}

/* Hopper's data sheet takes a lower clock for its matrix cores: 10 %. */
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

/* Two transfers a clock over the whole bus. */
static void memory(void)
{
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        const struct softgpu_card *c = softgpu_find_card(sheets[i].card);
        const double gbs = 2.0 * c->memory_khz * c->bus_bits / 8 / 1e6;
        CU_ASSERT_DOUBLE_EQUAL(gbs, c->dram_gbs, 0.03 * gbs);
        CU_ASSERT(c->l2_gbs > 1.5 * c->dram_gbs);
    }
}

/* The farther, the longer; shared memory and L1 are one piece. */
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

CU_TestInfo card_tests[] = {{"peaks of the data sheets", peaks},
                            {"memory's clock, bus and rate", memory},
                            {"latencies and sizes", order},
                            CU_TEST_INFO_NULL};
