/* SPDX-License-Identifier: MIT */
/* The parts of the counting that need no running kernel: cost rules, the order
 * of basic blocks, instruction classes, the table of sites. */
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "common/softgpu/profile/flow_graph.h"
#include "common/softgpu/profile/kernel_instructions.h"
#include "common/softgpu/profile/sites.h"

/* Lanes 0 to n - 1 at addresses first, first + step, ... */
static struct warp_access lanes(unsigned n, unsigned bytes, uint64_t first,
                                uint64_t step)
{
    struct warp_access a = {.active = n == 32 ? ~0u : (1u << n) - 1,
                            .bytes = bytes};

    for (unsigned l = 0; l < n; l++)
        a.address[l] = first + l * step;
    return a;
}

static void check_global(struct warp_access a, unsigned sectors,
                         unsigned bytes, unsigned ideal)
{
    struct global_cost cost;

    global_access_cost(&a, &cost);
    CU_ASSERT_EQUAL(cost.sectors, sectors);
    CU_ASSERT_EQUAL(cost.bytes, bytes);
    CU_ASSERT_EQUAL(cost.ideal, ideal);
    for (unsigned i = 1; i < cost.sectors; i++)
        CU_ASSERT_TRUE(cost.sector[i] > cost.sector[i - 1]);
}

static void test_global(void)
{
    struct warp_access a = lanes(32, 4, 4096, 4);

    check_global(a, 4, 128, 4);
    check_global(lanes(32, 16, 4096, 16), 16, 512, 16);
    check_global(lanes(32, 4, 4096, 32), 32, 128, 4);
    check_global(lanes(32, 4, 4096, 0), 1, 4, 1);
    check_global(lanes(32, 1, 4096 + 31, 1), 2, 32, 1);
    check_global(lanes(1, 16, 4096 + 16, 0), 1, 16, 1);
    /* an unaligned lane that crosses a sector boundary */
    check_global(lanes(1, 8, 4096 + 28, 0), 2, 8, 1);
    /* overlapping by half: 33 words */
    check_global(lanes(32, 8, 4096, 4), 5, 132, 5);
    /* the order of the lanes does not matter */
    for (unsigned l = 0; l < 16; l++) {
        uint64_t swap = a.address[l];

        a.address[l] = a.address[31 - l];
        a.address[31 - l] = swap;
    }
    check_global(a, 4, 128, 4);
}

static void check_wavefronts(struct warp_access a, unsigned wavefronts)
{
    struct global_cost cost;

    global_access_cost(&a, &cost);
    CU_ASSERT_EQUAL(global_load_wavefronts(&a, &cost), wavefronts);
}

/* A line spans the 32 banks of L1; four lines a clock are looked up. */
static void test_global_wavefronts(void)
{
    struct warp_access a = lanes(32, 16, 4096, 512);

    check_wavefronts(lanes(32, 4, 4096, 0), 1);
    check_wavefronts(lanes(32, 4, 4096, 4), 1);
    check_wavefronts(lanes(32, 4, 4096 + 28, 4), 1); /* two lines */
    check_wavefronts(lanes(32, 16, 4096, 16), 4);
    check_wavefronts(lanes(32, 4, 4096, 8), 2);
    check_wavefronts(lanes(32, 4, 4096, 128), 32); /* a column: one bank */
    check_wavefronts(lanes(32, 4, 4096, 132), 8); /* a line a lane */
    check_wavefronts(lanes(32, 1, 4096, 128), 32);
    check_wavefronts(lanes(4, 4, 4096, 128), 4);
    a.async = true; /* no banks: 32 lines */
    check_wavefronts(a, 8);
}

static void check_shared(struct warp_access a, unsigned wavefronts,
                         unsigned passes)
{
    struct shared_cost cost = shared_access_cost(&a);

    CU_ASSERT_EQUAL(cost.wavefronts, wavefronts);
    CU_ASSERT_EQUAL(cost.passes, passes);
}

static void test_shared(void)
{
    for (unsigned k = 1; k <= 33; k++) {
        unsigned common = k; /* gcd(k, 32) */

        while (32 % common || k % common)
            common--;
        check_shared(lanes(32, 4, 0, 4 * k), common, 1);
    }
    check_shared(lanes(32, 4, 12, 0), 1, 1);
    check_shared(lanes(32, 8, 0, 8), 2, 2);
    check_shared(lanes(32, 8, 0, 16), 4, 2);
    check_shared(lanes(16, 8, 0, 8), 1, 1);
    check_shared(lanes(32, 16, 0, 16), 4, 4);
    check_shared(lanes(32, 16, 0, 128), 32, 4);
    check_shared(lanes(9, 16, 0, 16), 2, 2);
    check_shared(lanes(32, 2, 0, 2), 1, 1);
}

static void test_atomic_and_constant(void)
{
    struct warp_access same = lanes(32, 4, 64, 0);
    struct warp_access each = lanes(32, 4, 64, 4);
    struct warp_access wide = lanes(4, 8, 64, 8);

    CU_ASSERT_EQUAL(atomic_serialization(&same), 32);
    CU_ASSERT_EQUAL(atomic_serialization(&each), 1);
    each.address[7] = each.address[30] = each.address[3];
    CU_ASSERT_EQUAL(atomic_serialization(&each), 3);
    CU_ASSERT_EQUAL(constant_passes_of(&same), 1);
    CU_ASSERT_EQUAL(constant_passes_of(&wide), 8);
}

/* Edges as letters: "ab" is a to b.  The blocks must be ordered as in `order`.
 */
static void check_order(const char *const *edges, const char *order)
{
    struct flow_graph f = {0};
    uint16_t before = 0;

    CU_ASSERT_EQUAL(flow_graph_clear(&f), 0);
    flow_graph_mark_entry(&f, flow_graph_node(&f, 'a'));
    for (; *edges; edges++)
        flow_graph_add_edge(&f, flow_graph_node(&f, (uint64_t)(*edges)[0]),
                            flow_graph_node(&f, (uint64_t)(*edges)[1]));
    flow_graph_order(&f);
    for (; *order; order++) {
        uint16_t rank = f.nodes[flow_graph_node(&f, (uint64_t)*order)].rank;

        CU_ASSERT_TRUE(rank > before);
        before = rank;
    }
    flow_graph_free(&f);
}

static void test_order(void)
{
    /* an if: both branches before the join, whatever its address */
    check_order((const char *const[]){"az", "ac", "zb", "cb", NULL}, "acb");
    check_order((const char *const[]){"az", "ac", "zb", "cb", NULL}, "azb");
    /* the loop b-c before its exit, which has a smaller address */
    check_order((const char *const[]){"ax", "xy", "yx", "xb", NULL}, "axyb");
    /* a nested loop: h(i(j))k, then e */
    check_order((const char *const[]){"ah", "hi", "ij", "ji", "ik", "kh", "he",
                                      NULL}, "ahijke");
    /* an exit from the middle of a loop, by break */
    check_order((const char *const[]){"ah", "hi", "ie", "ij", "jh", "he",
                                      NULL}, "ahije");
}

static void test_order_is_unique(void)
{
    static const char *const one[] = {"ab", "ac", "bd", "cd", "da", "de", NULL};
    static const char *const two[] = {"de", "cd", "da", "bd", "ac", "ab", NULL};
    struct flow_graph f = {0}, g = {0};

    flow_graph_clear(&f);
    flow_graph_clear(&g);
    for (int i = 0; one[i]; i++) {
        flow_graph_add_edge(&f, flow_graph_node(&f, (uint64_t)one[i][0]),
                            flow_graph_node(&f, (uint64_t)one[i][1]));
        flow_graph_add_edge(&g, flow_graph_node(&g, (uint64_t)two[i][0]),
                            flow_graph_node(&g, (uint64_t)two[i][1]));
    }
    flow_graph_mark_entry(&f, flow_graph_node(&f, 'a'));
    flow_graph_mark_entry(&g, flow_graph_node(&g, 'a'));
    flow_graph_order(&f);
    flow_graph_order(&g);
    for (uint64_t c = 'a'; c <= 'e'; c++)
        CU_ASSERT_EQUAL(f.nodes[flow_graph_node(&f, c)].rank,
                        g.nodes[flow_graph_node(&g, c)].rank);
    flow_graph_free(&f);
    flow_graph_free(&g);
}

static void test_classes(void)
{
    static const struct {
        const char *text;
        enum instruction_class class;
    } cases[] = {
        {"addss  0x4(%rdi),%xmm0", CLASS_FLOAT},
        {"vmulsd %xmm1,%xmm2,%xmm0", CLASS_DOUBLE},
        {"vfmadd213ss %xmm1,%xmm2,%xmm0", CLASS_FLOAT_FMA},
        {"sqrtss %xmm0,%xmm0", CLASS_SPECIAL},
        {"vmulsh -0x34(%rbp),%xmm1,%xmm0", CLASS_HALF},
        {"vfmadd213ph %ymm1,%ymm2,%ymm0", CLASS_HALF_FMA},
        {"vmovw  %xmm0,-0x3c(%rbp)", CLASS_NONE},
        {"push   %rbp", CLASS_NONE},
        {"cvtsi2ss %eax,%xmm0", CLASS_OTHER},
        {"movss  %xmm0,-0x14(%rbp)", CLASS_NONE},
        {"movslq %eax,%rdx", CLASS_NONE},
        {"lea    0x4(%rbx),%rdi", CLASS_NONE},
        {"lea    (%rbx,%rax,4),%rdi", CLASS_ADDRESS},
        {"add    %fs:0x0,%rdi", CLASS_NONE},
        {"addl   $0x1,-0x4(%rbp)", CLASS_INTEGER},
        {"sub    $0x28,%rsp", CLASS_NONE},
        {"xor    %eax,%eax", CLASS_NONE},
        {"xor    %ecx,%eax", CLASS_INTEGER},
        {"divl   -0x34(%rbp)", CLASS_DIVISION},
        {"idiv   %rcx", CLASS_DIVISION},
        {"cmp    %eax,%ebx", CLASS_INTEGER},
        {"jle    401234 <k+0x10>", CLASS_BRANCH},
        {"jmp    401234 <k+0x10>", CLASS_NONE},
        {"call   401234 <__tsan_read4>", CLASS_MEMORY},
        {"call   401234 <softgpu_instrumented_atomic>", CLASS_MEMORY},
        {"call   401234 <__tsan_func_exit>", CLASS_NONE},
        {"call   401234 <softgpu_warp_gather>", CLASS_WARP_CALL},
        {"call   401234 <expf@plt>", CLASS_SPECIAL},
        {"call   401234 <fmaf@plt>", CLASS_FLOAT_FMA},
        {"call   401234 <fmaxf@plt>", CLASS_OTHER},
        {"call   401234 <_Z6squaref>", CLASS_OTHER},
        {"call   401234 <_Z7ptx_mmaI6__halfEvPfPKjS3_>", CLASS_MATRIX},
        {"call   401234 <_ZN7softgpu4wmma16multiply_by_warpI1aEvv>",
         CLASS_MATRIX},
        {"nop", CLASS_NONE},
        {"ret", CLASS_NONE},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (classify_instruction(cases[i].text) != cases[i].class) {
            printf("%s is %d\n", cases[i].text,
                   classify_instruction(cases[i].text));
            CU_FAIL("wrong class");
        }
}

/* A division of two unsigned takes fewer instructions than one of int, or of
 * 64 bits. */
static void test_divisions(void)
{
    CU_ASSERT_EQUAL(division_instructions("div    %ebx"), 18);
    CU_ASSERT_EQUAL(division_instructions("div    %r12d"), 18);
    CU_ASSERT_EQUAL(division_instructions("divl   -0x34(%rbp)"), 18);
    CU_ASSERT_EQUAL(division_instructions("div    %rbx"), 25);
    CU_ASSERT_EQUAL(division_instructions("div    %r12"), 25);
    CU_ASSERT_EQUAL(division_instructions("idiv   %ebx"), 25);
    CU_ASSERT_EQUAL(division_instructions("divq   -0x38(%rbp)"), 25);
}

static void test_widths(void)
{
    CU_ASSERT_EQUAL(vector_width("mulss %xmm1,%xmm0"), 1);
    CU_ASSERT_EQUAL(vector_width("mulps %xmm1,%xmm0"), 4);
    CU_ASSERT_EQUAL(vector_width("vmulps %ymm1,%ymm2,%ymm0"), 8);
    CU_ASSERT_EQUAL(vector_width("vaddpd %zmm1,%zmm2,%zmm0"), 8);
    CU_ASSERT_EQUAL(vector_width("vaddph %ymm1,%ymm2,%ymm0"), 16);
    CU_ASSERT_EQUAL(vector_width("vaddsd (%rax),%xmm2,%xmm0"), 1);
}

static void set_runs(struct sites *sites, uint64_t code, uint64_t runs)
{
    /* may move the items */
    int place = sites_find_or_add(sites, code, SITE_BASIC_BLOCK);

    sites->items[place].warp_executions = runs;
}

/* Many sites, added twice, in another order. */
static void test_sites(void)
{
    struct sites a = {0}, b = {0};
    const struct site *s;

    for (uint64_t code = 1; code <= 500; code++) {
        set_runs(&a, code, code);
        set_runs(&b, 501 - code, 1000);
    }
    CU_ASSERT_EQUAL(sites_add(&a, &b), 0);
    CU_ASSERT_EQUAL(a.count, 500);
    s = sites_lookup(&a, 77, SITE_BASIC_BLOCK);
    CU_ASSERT_TRUE(s && s->warp_executions == 1077);
    CU_ASSERT_PTR_NULL(sites_lookup(&a, 77, SITE_LOCAL));
    sites_clear(&a);
    CU_ASSERT_PTR_NULL(sites_lookup(&a, 77, SITE_BASIC_BLOCK));
    sites_free(&a);
    sites_free(&b);
}

/* A block of a division and an addition, executed by three warps: 26
 * instructions each, and 2 where nvcc knows the divisor. */
static uint64_t counted_instructions(bool folded)
{
    struct kernel_profile k = {.file = (char *)"k.cu", .line = 1};
    struct instruction_mix mix = {0};
    struct decoded_instruction items[2];
    struct sites sites = {0};
    uint64_t counted;

    set_runs(&sites, 1, 3);
    items[0] = decode_instruction("idiv   %ecx", folded);
    items[1] = decode_instruction("add    %eax,%ebx", false);
    items[0].code = items[0].block = items[1].code = items[1].block = 1;
    mix.items = items;
    mix.count = 2;
    kernel_add_instructions(&k, &sites, &mix);
    counted = k.line_count ? k.lines[0].counters.warp_instructions : 0;
    free(k.line_count ? (char *)k.lines[0].file : NULL);
    free(k.lines);
    sites_free(&sites);
    return counted;
}

static void test_counted_divisions(void)
{
    CU_ASSERT_EQUAL(counted_instructions(false), 3 * 26);
    CU_ASSERT_EQUAL(counted_instructions(true), 3 * 2);
}

/* The costliest sample; of equal ones that of the first block, in any order. */
static void test_samples(void)
{
    struct sites sum = {0}, one = {0};
    static const struct {
        uint32_t cost, warp;
        uint64_t linear;
    } seen[] = {{4, 0, 9}, {8, 1, 7}, {8, 0, 7}, {8, 0, 8}, {5, 0, 1}};

    for (int i = 0; i < 5; i++) {
        struct sample *s;

        sites_clear(&one);
        set_runs(&one, 1, 1);
        s = &one.items[0].sample;
        s->cost = seen[i].cost;
        s->warp = seen[i].warp;
        s->linear = seen[i].linear;
        sites_add(&sum, &one);
    }
    CU_ASSERT_EQUAL(sum.items[0].sample.cost, 8);
    CU_ASSERT_EQUAL(sum.items[0].sample.linear, 7);
    CU_ASSERT_EQUAL(sum.items[0].sample.warp, 0);
    sites_free(&sum);
    sites_free(&one);
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"sectors", test_global},
        {"wavefronts of global loads", test_global_wavefronts},
        {"wavefronts", test_shared},
        {"passes", test_atomic_and_constant},
        {"order of blocks", test_order},
        {"order has one form", test_order_is_unique},
        {"classes of instructions", test_classes},
        {"divisions", test_divisions},
        {"counted divisions", test_counted_divisions},
        {"widths of instructions", test_widths},
        {"sites", test_sites},
        {"samples", test_samples},
        CU_TEST_INFO_NULL,
    };

    return run_tests("counting", tests);
}
