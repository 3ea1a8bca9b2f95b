/* SPDX-License-Identifier: MIT */
/* Mistakes that the suites of labs 05 to 08 name, computed here in another way,
 * and near misses of which they say nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "grader/suite/hypothesis.h"
#include "grader/suites/05_scan/mistakes.h"
#include "grader/suites/06_histogram/mistakes.h"
#include "grader/suites/shared/gemm_mistakes.h"
#include "labs/05_scan/scan.h"
#include "labs/06_histogram/histogram.h"

static struct facts launch;           /* of the output */
static char text[DIAGNOSIS_SIZE];     /* what is said of it */
static const double *previous;        /* the output before, or NULL */

/* Diagnose the output. */
static void diagnose_output(const struct expected *e, size_t previous_count)
{
    struct comparison c;
    const struct evidence evidence = {e, &c, NULL, previous, previous_count,
                                      &launch, true};
    const char *hint;

    CU_ASSERT_TRUE_FATAL(compare(e, &c));
    CU_ASSERT_TRUE(c.wrong > 0);
    diagnose_values(&evidence, text, &hint);
    free(c.wrong_mask);
}

static bool says(const char *words)
{
    return strstr(text, words) != NULL;
}

/* A number from 0 to 1, the same ones in each run. */
static float next_uniform(void)
{
    static unsigned state = 12345;

    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-24f;
}

enum { BYTES = 4096 };

static uint8_t bytes[BYTES];
static uint32_t bins[HISTOGRAM_BINS];
static double counts[HISTOGRAM_BINS];

static void fill_bytes(int value)
{
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < BYTES; i++) {
        bytes[i] = value < 0 ? (uint8_t)(256 * next_uniform())
                             : (uint8_t)value;
        counts[bytes[i]]++;
    }
    for (size_t v = 0; v < HISTOGRAM_BINS; v++)
        bins[v] = (uint32_t)counts[v];
}

static void diagnose_bins(size_t previous_count)
{
    const struct histogram_input input = {bytes, BYTES, 0};

    diagnose_output(&(struct expected){
        .name = "bins", .got = bins, .want = counts, .type = UINT32,
        .size = {HISTOGRAM_BINS}, .mistakes = histogram_mistakes,
        .context = &input}, previous_count);
}

/* Each of c equal bytes of a warp adds `c`, or c + 1, which nobody does. */
static void each_peer_adds(void)
{
    for (unsigned extra = 0; extra < 2; extra++) {
        fill_bytes(-1);
        memset(bins, 0, sizeof bins);
        for (size_t i = 0; i < BYTES; i++) {
            const size_t first = i / 32 * 32;

            for (size_t k = first; k < first + 32; k++)
                bins[bytes[i]] += bytes[k] == bytes[i];
            bins[bytes[i]] += extra;
        }
        diagnose_bins(0);
        CU_ASSERT_EQUAL(says("the sum of c * c over the warps"), extra == 0);
    }
}

/* Of one value alone, of which nothing is left, no bin is lost; that a counter
 * wraps is likely if other counts were right before. */
static void nothing_left(void)
{
    static const double before[HISTOGRAM_BINS] = {[9] = 300};

    launch = (struct facts){.launches = 1, .grid = {4, 1, 1},
                            .block = {64, 1, 1}};
    fill_bytes(200);
    bins[200] = 0;
    previous = before;
    diagnose_bins(HISTOGRAM_BINS);
    CU_ASSERT_TRUE(says("does a counter of 8 bits"));
    CU_ASSERT_FALSE(says("no thread adds"));
    previous = NULL;
    diagnose_bins(0);
    CU_ASSERT_FALSE(says("8 bits"));
    CU_ASSERT_FALSE(says("no thread adds"));
}

/* As many bins as a block has threads, of bytes of all values. */
static void bins_of_a_block(void)
{
    for (unsigned threads = 64; threads <= 128; threads *= 2) {
        char words[64];

        launch = (struct facts){.launches = 1, .grid = {4, 1, 1},
                                .block = {threads, 1, 1}};
        fill_bytes(-1);
        memset(bins + threads, 0, sizeof bins - threads * sizeof *bins);
        diagnose_bins(0);
        snprintf(words, sizeof words, "is 0 from bin %u on: no thread adds",
                 threads);
        CU_ASSERT_TRUE(says(words));
        CU_ASSERT_FALSE(says(", or "));
    }
}

/* Lane 0 alone adds for its warp; a block's largest count replaces the sum;
 * counts of 1 are left out. */
static void counts_of_some(void)
{
    unsigned largest[HISTOGRAM_BINS] = {0}, own[2][HISTOGRAM_BINS] = {{0}};

    fill_bytes(-1);
    memset(bins, 0, sizeof bins);
    for (size_t i = 0; i < BYTES; i++)
        bins[bytes[i]] += bytes[i] == bytes[i / 32 * 32];
    diagnose_bins(0);
    CU_ASSERT_TRUE(says("only lane 0 of each warp adds"));
    launch = (struct facts){.launches = 1, .grid = {2, 1, 1},
                            .block = {256, 1, 1}};
    for (size_t i = 0; i < BYTES; i++) {
        const unsigned count = ++own[i / 256 % 2][bytes[i]];

        largest[bytes[i]] = count > largest[bytes[i]] ? count
                                                      : largest[bytes[i]];
    }
    memcpy(bins, largest, sizeof bins);
    diagnose_bins(0);
    CU_ASSERT_TRUE(says("the largest count that one of the 2 blocks has"));
    for (size_t i = 0; i < BYTES; i++) /* 0 to 4 once, and many others */
        bytes[i] = (uint8_t)(i < 5 ? i : 5 + i % 250);
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < BYTES; i++)
        counts[bytes[i]]++;
    for (size_t v = 0; v < HISTOGRAM_BINS; v++)
        bins[v] = counts[v] > 1 ? (uint32_t)counts[v] : 0;
    diagnose_bins(0);
    CU_ASSERT_TRUE(says("0 where 1 is expected"));
}

enum { M = 40, N = 72, K = 3, TILE = 16, ACROSS = 5, TILES = 15 };

static float a[M * K], b[K * N], c[M * N], old_c[M * N];
static double want[M * N], scale[M * N];
static struct gemm g = {.m = M, .n = N, .k = K, .a = a, .b = b, .c = c,
                        .want = want, .scale = scale};

/* The right product, with an alpha that is no whole number. */
static void multiply(float beta)
{
    for (size_t i = 0; i < M * K; i++) a[i] = next_uniform() - 0.5f;
    for (size_t i = 0; i < K * N; i++) b[i] = next_uniform() - 0.5f;
    for (size_t i = 0; i < M * N; i++) c[i] = old_c[i] = next_uniform();
    g.alpha = 1.5f;
    g.beta = beta;
    gemm_reference(&g);
    for (size_t i = 0; i < M * N; i++) c[i] = (float)want[i];
}

static void diagnose_product(void)
{
    diagnose_output(&(struct expected){
        .name = "C", .got = c, .want = want, .type = FLOAT32, .size = {M, N},
        .scale = scale, .steps = (K + 2) / 2.0, .mistakes = gemm_mistakes,
        .context = &g}, 0);
}

/* alpha times the sum of an element, which may lie outside of C. */
static double product_at(size_t i, size_t j)
{
    return i < M && j < N
               ? want[i * N + j] - (double)g.beta * old_c[i * N + j] : 0;
}

/* The sums of the tiles that `blocks` blocks have computed before. */
static void add_earlier_tiles(size_t blocks)
{
    for (size_t e = 0; e < M * N; e++) {
        const size_t y = e / N % TILE, x = e % N % TILE;
        size_t tile = e / N / TILE * ACROSS + e % N / TILE;
        double sum = want[e];

        while (tile >= blocks) {
            tile -= blocks;
            sum += product_at(tile / ACROSS * TILE + y,
                              tile % ACROSS * TILE + x);
        }
        c[e] = (float)sum;
    }
}

static void earlier_tiles(void)
{
    launch = (struct facts){.launches = 1, .grid = {4, 1, 1},
                            .block = {256, 1, 1}};
    multiply(-2.5f);
    add_earlier_tiles(4);
    diagnose_product();
    CU_ASSERT_TRUE(says("the 4 blocks share 15 tiles of 16 x 16"));
    add_earlier_tiles(6); /* of another grid */
    diagnose_product();
    CU_ASSERT_FALSE(says("blocks share"));
    add_earlier_tiles(4);
    c[M * N - 1] += 1;
    diagnose_product();
    CU_ASSERT_FALSE(says("blocks share"));
}

static void whole_factors(void)
{
    static const double in_place[] = {-2, -3, -2.25};

    for (size_t k = 0; k < 3; k++) {
        multiply(-2.5f);
        for (size_t e = 0; e < M * N; e++)
            c[e] = (float)(want[e]
                           + (in_place[k] - (double)g.beta) * old_c[e]);
        diagnose_product();
        CU_ASSERT_EQUAL(says("that with -2 in place of beta = -2.5"), k == 0);
    }
}

/* No term in one row is no lost loop over tiles, if another row has them. */
static void terms_of_a_row(void)
{
    for (size_t rows = 0; rows < 2; rows++) {
        multiply(0);
        for (size_t e = rows * N; e < M * N; e++)
            c[e] = 0;
        diagnose_product();
        CU_ASSERT_EQUAL(says("none of the 3 terms was added"), rows == 0);
    }
}

enum { ELEMENTS = 1 << 14 };

static float in[ELEMENTS], out[ELEMENTS];
static double sums[ELEMENTS], sizes[ELEMENTS];

/* The right sums of numbers, whole or not. */
static void scan_elements(size_t n, bool is_whole)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        in[i] = is_whole ? rintf(100 * next_uniform()) + 1 : next_uniform();
        sum += in[i];
        sums[i] = sizes[i] = sum;
        out[i] = (float)sum;
    }
}

static void diagnose_sums(size_t n, double steps)
{
    const struct scan_input input = {in, n, SCAN_INCLUSIVE};

    diagnose_output(&(struct expected){
        .name = "inclusive", .got = out, .want = sums, .type = FLOAT32,
        .size = {n}, .scale = sizes, .steps = steps, .input = in,
        .mistakes = scan_mistakes, .context = &input}, 0);
}

/* The sums of parts of 128 lose their fractions, or a tenth. */
static void whole_prefixes(void)
{
    enum { PART = 128, LENGTH = 1000 };

    for (int k = 0; k < 2; k++) {
        double prefix = 0, own = 0;

        scan_elements(LENGTH, false);
        for (size_t i = 0; i < LENGTH; i++) {
            if (i && i % PART == 0) {
                prefix += k ? own * 0.9 : floor(own);
                own = 0;
            }
            own += in[i];
            out[i] = (float)(prefix + own);
        }
        diagnose_sums(LENGTH, 128);
        CU_ASSERT_EQUAL(says("fractions cut off the sums of the parts of 128"),
                        k == 0);
    }
}

/* From a tile on the prefix is the tile's own sum; or only some of the elements
 * of a tile are wrong; or one launch does it all, where no block scans sums. */
static void last_level(void)
{
    enum { PART = 128, RIGHT = 64, LENGTH = PART * (RIGHT + 5) + 1 };

    for (int k = 0; k < 3; k++) {
        launch.launches = k == 2 ? 1 : 3;
        scan_elements(LENGTH, false);
        for (size_t i = PART * RIGHT; i < LENGTH; i++) {
            const size_t end = i / PART * PART + PART - 1;

            if (k != 1 || i % 2)
                out[i] -= (float)(2 * sums[i / PART * PART - 1]
                                  - sums[end < LENGTH ? end : LENGTH - 1]);
        }
        diagnose_sums(LENGTH, 128);
        CU_ASSERT_EQUAL(says("from tile 64 of 128 elements on: does one block"),
                        k == 0);
    }
}

/* A tile that finds the prefix of the one before lacks that one's sum, if it is
 * not in its prefix; the second tile lacks nothing.  Or each tile lacks that of
 * the first one. */
static void prefix_without_own(void)
{
    enum { PART = 4096 };

    for (int k = 0; k < 2; k++) {
        scan_elements(ELEMENTS, true);
        for (size_t i = (k ? 1 : 2) * PART; i < ELEMENTS; i++) {
            const size_t first = i / PART * PART;

            out[i] -= (float)(k ? sums[PART - 1]
                                : sums[first - 1] - sums[first - PART - 1]);
        }
        diagnose_sums(ELEMENTS, 0);
        CU_ASSERT_EQUAL(says("that of the tile just before, or of several"),
                        k == 0);
    }
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"each lane adds the number of equal lanes", each_peer_adds},
        {"nothing is left of a count", nothing_left},
        {"bins past those of a block", bins_of_a_block},
        {"sums of earlier tiles", earlier_tiles},
        {"beta in an int", whole_factors},
        {"a row without terms", terms_of_a_row},
        {"prefixes without fractions", whole_prefixes},
        {"prefixes of the first tiles", last_level},
        {"prefixes without their own sum", prefix_without_own},
        {"counts of some lanes and blocks", counts_of_some},
        CU_TEST_INFO_NULL};

    return run_tests("mistakes of suites", tests);
}
