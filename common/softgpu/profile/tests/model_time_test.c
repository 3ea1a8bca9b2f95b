/* SPDX-License-Identifier: MIT */
/* Modeled times: figures computed by hand, and monotony: more work is never
 * faster, more resident warps are never slower. */
#include <string.h>

#include "common/softgpu/profile/model_input.h"
#include "common/softgpu/profile/profile.h"
#include "model_tests.h"

static const char *const cards[] = {"h200", "h100", "a100", "rtx3060",
                                    "t4",   "v100", "rtx4090"};
enum { CARDS = sizeof cards / sizeof *cards, KERNELS = 40 };

/* One launch of this many blocks of 256 threads, all sampled. */
static struct kernel_profile kernel(uint64_t blocks)
{
    struct kernel_profile k = {
        .name = "k", .launches = 1, .grid = {(unsigned)blocks, 1, 1},
        .block = {256, 1, 1}, .blocks = blocks, .blocks_watched = blocks,
        .threads = 256 * blocks, .registers = 32};
    return k;
}

static double us(const char *card, struct kernel_profile *k)
{
    model_kernel(softgpu_find_card(card), k);
    return k->model.us;
}

/* c = a + b on 2^28 floats: three streams of 1 GiB. */
static void vector_add(void)
{
    const uint64_t n = 1u << 28;
    struct kernel_profile k = kernel(n / 256);
    k.total.global_load_requests = n / 32 * 2;
    k.total.global_load_sectors = k.total.l2_read_sectors = n / 8 * 2;
    k.total.global_store_requests = n / 32;
    k.total.global_store_sectors = k.total.l2_write_sectors = n / 8;
    k.total.global_store_bytes = 4 * n;
    k.total.dram_read_bytes = 8 * n;
    k.total.dram_write_bytes = 4 * n;
    k.total.flop_float = n;
    const double alone = 12.0 * n / 4.8e6 / 0.92; /* 730 us at 4.4 TB/s */
    CU_ASSERT(us("h200", &k) > alone && us("h200", &k) < 1.4 * alone);
    CU_ASSERT_STRING_EQUAL(k.model.limiter, "dram");
    CU_ASSERT_DOUBLE_EQUAL(k.occupancy, 1, 0);
}

/* 2^36 FMAs from registers: 2^37 FLOP at 66.9 TFLOP/s. */
static void arithmetic(void)
{
    struct kernel_profile k = kernel(132 * 64);
    k.total.flop_float = 1ull << 37;
    CU_ASSERT(us("h200", &k) > 2054 && us("h200", &k) < 2054 * 1.6);
    k.total.flop_float = 0;
    k.total.flop_tensor = 1ull << 37;
    CU_ASSERT(us("h200", &k) > 128 && us("h200", &k) < 128 * 1.6);
    CU_ASSERT_STRING_EQUAL(k.model.limiter, "fp");
}

/* Without work a launch costs its overhead; a thousand launches a thousand
 * times that. */
static void launches(void)
{
    struct kernel_profile k = kernel(1);
    const double one = us("a100", &k);
    CU_ASSERT(one >= 2.7 && one < 3.2);
    CU_ASSERT_STRING_EQUAL(k.model.limiter, "launch");
    k.launches = k.blocks = k.blocks_watched = 1000;
    CU_ASSERT_DOUBLE_EQUAL(us("a100", &k), 1000 * one, 1e-6);
}

/* A constant that is the same for all lanes costs its issue slot alone. */
static void uniform_constants(void)
{
    struct kernel_profile k = kernel(4096);
    k.total.constant_requests = k.total.constant_passes = 1ull << 32;
    const double uniform = us("h200", &k);
    k.total.constant_passes *= 2; /* one pass more for each request */
    CU_ASSERT(us("h200", &k) > 2 * uniform);
}

/* Issue slots of a kernel of one block of 8 warps. */
static double issue_slots(struct kernel_profile *k)
{
    const struct softgpu_card *card = softgpu_find_card("h200");

    model_kernel(card, k);
    return k->model.ceiling[0] * card->clock_khz / 1000 * 4;
}

/* Each warp has 14 slots before its work.  Index arithmetic has 19 of 20 of its
 * instructions; shared loads that are joined are one. */
static void index_arithmetic(void)
{
    struct kernel_profile k = kernel(1);

    CU_ASSERT_DOUBLE_EQUAL(issue_slots(&k), 112, 1e-6);
    k.total.warp_instructions = 1000;
    k.total.integer_instructions = 32 * 700;
    k.total.branches = 100;
    CU_ASSERT_DOUBLE_EQUAL(issue_slots(&k), 1112 - 40, 1e-6);
    k.total.shared_load_requests = 200;
    k.total.shared_load_joined = 150;
    CU_ASSERT_DOUBLE_EQUAL(issue_slots(&k), 1112 - 40 - 150, 1e-6);
}

/* Multiply-adds whose operands are used again overlap in a warp. */
static void reused_operands(void)
{
    struct kernel_profile k = kernel(1);

    k.total.flop_float = 64 * 32000;
    k.total.warp_instructions = 64000 + 32000;
    k.total.shared_load_requests = k.total.shared_load_wavefronts = 32000;
    const double once = us("h200", &k);
    k.total.warp_instructions = 64000 + 8000;
    k.total.shared_load_requests = k.total.shared_load_wavefronts = 8000;
    const double four_times = us("h200", &k);
    k.total.warp_instructions = 64000 + 32000; /* as many as before */
    CU_ASSERT(four_times < 0.6 * once);
    CU_ASSERT(us("h200", &k) < once);
}

/* Latency of a warp that loads n times, in clocks. */
static double load_chain(unsigned n)
{
    struct kernel_profile k = kernel(1);
    const struct softgpu_card *card = softgpu_find_card("h200");

    k.total.global_load_requests = 8 * n; /* 8 warps */
    model_kernel(card, &k);
    return k.model.ceiling[7] * card->clock_khz / 1000;
}

/* Two loads of a warp are in flight together, and no third one. */
static void loads_in_flight(void)
{
    const int latency = softgpu_find_card("h200")->l1_cycles;
    const double none = load_chain(0), two = load_chain(2);

    CU_ASSERT_DOUBLE_EQUAL(load_chain(1) - none, latency + 4, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(two - none, latency + 8, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(load_chain(4) - two, latency + 8, 1e-6);
}

/* Barriers stop all warps of a block together: only other blocks hide what
 * they wait for. */
static void barriers_expose_loads(void)
{
    struct kernel_profile k = kernel(132);
    k.block.x = 1024;
    k.total.global_load_requests = k.total.global_load_waiting = 132 * 32 * 800;
    k.total.warp_instructions = 132 * 32 * 16000;
    const double alone = us("h200", &k);
    k.total.barriers = 1;
    const double stopped = us("h200", &k);
    CU_ASSERT(stopped > 1.15 * alone);
    k = kernel(132 * 8);
    k.total.global_load_requests = k.total.global_load_waiting = 132 * 64 * 100;
    k.total.warp_instructions = 132 * 64 * 2000;
    const double many = us("h200", &k);
    k.total.barriers = 1;
    CU_ASSERT(us("h200", &k) < 1.1 * many);
}

/* A load whose sector is not in L1 takes the latency of L2, from DRAM that of
 * DRAM; sectors from DRAM alone delay no load that L1 has. */
static void loads_that_wait(void)
{
    const struct softgpu_card *card = softgpu_find_card("h200");
    const double per_us = card->clock_khz / 1000.0;
    struct kernel_profile k = kernel(1);

    k.total.global_load_requests = 8; /* one a warp */
    us("h200", &k);
    const double hit = k.model.ceiling[7] * per_us;
    k.total.dram_read_bytes = 8 * 32;
    us("h200", &k);
    CU_ASSERT_DOUBLE_EQUAL(k.model.ceiling[7] * per_us, hit, 1e-6);
    k.total.global_load_waiting = 8;
    us("h200", &k);
    CU_ASSERT_DOUBLE_EQUAL(k.model.ceiling[7] * per_us - hit,
                           card->dram_cycles - card->l1_cycles, 1e-6);
    k.total.dram_read_bytes = 0;
    us("h200", &k);
    CU_ASSERT_DOUBLE_EQUAL(k.model.ceiling[7] * per_us - hit,
                           card->l2_cycles - card->l1_cycles, 1e-6);
}

/* A column of a matrix: 32 wavefronts a load, although L1 has all sectors. */
static void wavefronts_of_loads(void)
{
    struct kernel_profile k = kernel(1320);
    k.total.global_load_requests = k.total.global_load_wavefronts = 1u << 24;
    k.total.global_load_sectors = 4u << 24;
    const double rows = us("h200", &k);
    k.total.global_load_wavefronts = 32u << 24;
    CU_ASSERT(us("h200", &k) > 6 * rows);
    CU_ASSERT_STRING_EQUAL(k.model.limiter, "lsu");
}

/* All threads add to one word. */
static void same_address_atomics(void)
{
    struct kernel_profile k = kernel(4096);
    k.total.global_atomic_requests = k.total.global_atomic_sectors = 32768;
    k.total.global_atomic_passes = 32 * 32768;
    k.total.global_atomic_hottest = 32 * 32768;
    us("h200", &k);
    CU_ASSERT_STRING_EQUAL(k.model.limiter, "atomics");
}

/* A pseudorandom sequence. */
static uint64_t random_below(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static struct kernel_profile any_kernel(uint64_t *state)
{
    struct kernel_profile k = kernel(1 + random_below(state, 5000));
    k.block.x = 1 + (unsigned)random_below(state, 1024);
    k.registers = 16 + (unsigned)random_below(state, 48);
    k.static_shared = (unsigned)random_below(state, 20000);
#define X(name, metric, words) \
    k.total.name = random_below(state, 3) ? random_below(state, 10000000) : 0;
    SOFTGPU_COUNTERS(X)
#undef X
    return k;
}

/* Operations and accesses are instructions too, and stored bytes fill sectors.
 */
static void increase_counter(struct counters *c, uint64_t *one, uint64_t n)
{
    *one += n;
    if (one != &c->warp_instructions)
        c->warp_instructions += n;
    if (one == &c->global_load_async)
        c->global_load_requests += n;
    if (one == &c->global_load_ahead)
        c->global_load_requests += n;
    if (one == &c->waited_copies) {
        c->global_load_async += n;
        c->global_load_requests += n;
    }
    if (one == &c->global_load_bulk) { /* each is a store, too */
        c->global_load_requests += n;
        c->global_load_sectors += n;
        c->global_load_async += n;
        c->shared_store_requests += n;
        c->shared_store_wavefronts += n;
    }
    if (one == &c->constant_requests)
        c->constant_passes += n;
    if (one == &c->shared_load_joined) {
        c->shared_load_requests += n;
        c->shared_load_wavefronts += n;
    }
    if (one == &c->shared_load_saved) /* of those that there are */
        c->shared_load_wavefronts += n;
    if (one == &c->global_store_bytes)
        c->global_store_sectors += (n + 31) / 32;
}

static void monotone_in_every_counter(void)
{
    uint64_t state = 1;
    for (int i = 0; i < KERNELS; i++) {
        struct kernel_profile k = any_kernel(&state);
        const char *card = cards[i % CARDS];
        const double before = us(card, &k);
#define X(name, metric, words)                                                 \
    {                                                                          \
        struct kernel_profile more = k;                                        \
        increase_counter(&more.total, &more.total.name,                        \
                         1 + random_below(&state, 20000000));                  \
        if (us(card, &more) < before * (1 - 1e-9))                             \
            CU_FAIL("more " #name " is modeled as faster");                   \
    }
        SOFTGPU_COUNTERS(X)
#undef X
    }
}

/* The same bytes stored as whole sectors, and as one word in each of eight. */
static void parts_of_sectors(void)
{
    struct kernel_profile k = kernel(10000);
    k.total.global_store_requests = 1000000;
    k.total.global_store_bytes = 128000000;
    k.total.global_store_sectors = k.total.l2_write_sectors = 4000000;
    const double packed = us("h100", &k);
    k.total.global_store_sectors = k.total.l2_write_sectors = 32000000;
    CU_ASSERT(us("h100", &k) > 10 * packed);
    CU_ASSERT_STRING_EQUAL(k.model.limiter, "l2");
}

static void more_sectors_and_conflicts(void)
{
    struct kernel_profile k = kernel(1000);
    k.total.global_load_requests = k.total.l2_read_sectors = 1000000;
    k.total.global_load_sectors = 4000000;
    const double packed = us("h200", &k);
    k.total.global_load_sectors = k.total.l2_read_sectors = 32000000;
    CU_ASSERT(us("h200", &k) > 2 * packed);
    k = kernel(1000);
    k.total.shared_load_requests = k.total.shared_load_wavefronts = 1000000;
    const double free_of_conflicts = us("h200", &k);
    k.total.shared_load_wavefronts = 32000000;
    CU_ASSERT(us("h200", &k) > 4 * free_of_conflicts);
}

/* Fewer registers or less shared memory: more warps per SM, never slower. */
static void occupancy_never_slower(void)
{
    uint64_t state = 2;
    for (int i = 0; i < KERNELS; i++) {
        struct kernel_profile k = any_kernel(&state);
        const char *card = cards[i % CARDS];
        k.registers = 255;
        k.block.x = 256;
        double slowest = us(card, &k), least = k.occupancy;
        for (; k.registers > 16; k.registers -= 7) {
            CU_ASSERT(us(card, &k) <= slowest && k.occupancy >= least);
            slowest = k.model.us;
            least = k.occupancy;
        }
    }
}

/* Half the blocks sampled, half of all counters: the same time. */
static void sampled(void)
{
    uint64_t state = 3;
    struct kernel_profile k = any_kernel(&state);
    k.blocks = k.blocks_watched = 4096;
#define X(name, metric, words) k.total.name &= ~1ull;
    SOFTGPU_COUNTERS(X)
    const double all = us("t4", &k);
#undef X
    k.blocks_watched /= 2;
#define X(name, metric, words) k.total.name /= 2;
    SOFTGPU_COUNTERS(X)
#undef X
    CU_ASSERT_DOUBLE_EQUAL(us("t4", &k), all, 1e-9 * all);
}

/* Empty and impossible kernels do not divide by zero. */
static void nothing(void)
{
    struct kernel_profile k;
    memset(&k, 0, sizeof k);
    k.block = (dim3){1, 1, 1};
    CU_ASSERT(us("h200", &k) > 0 && us("h200", &k) < 10);
    k.registers = 255;
    k.block.x = 1024;
    CU_ASSERT(us("h200", &k) > 0);
}

CU_TestInfo model_time_tests[] = {
    {"vector add is limited by DRAM", vector_add},
    {"arithmetic at the peak rate", arithmetic},
    {"launches", launches},
    {"uniform constants", uniform_constants},
    {"issue slots of index arithmetic", index_arithmetic},
    {"multiply-adds of reused operands", reused_operands},
    {"loads in flight", loads_in_flight},
    {"loads that wait for L2 and DRAM", loads_that_wait},
    {"barriers expose loads", barriers_expose_loads},
    {"wavefronts of global loads", wavefronts_of_loads},
    {"atomics on one word", same_address_atomics},
    {"monotone in every counter", monotone_in_every_counter},
    {"sectors and bank conflicts", more_sectors_and_conflicts},
    {"partially written sectors cost twice", parts_of_sectors},
    {"more occupancy is never slower", occupancy_never_slower},
    {"a sample stands for all", sampled},
    {"empty kernels", nothing},
    CU_TEST_INFO_NULL};
