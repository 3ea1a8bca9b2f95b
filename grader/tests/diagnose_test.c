/* SPDX-License-Identifier: MIT */
/* Where wrong elements lie, and what they are: each pattern, and a near
 * miss. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "compare_fixture.h"

/* Patterns of a vector. */
static void where(void)
{
    struct expected e = vector();

    corrupt(17, N, 1, -3);
    says(&e, "all in the last block", "");
    e = vector();
    corrupt(15, N, 1, -3);
    says(&e, "all from element 15 on", "");
    e = vector();
    e.size[0] = N - 1; /* 23 = 5 * 4 + 3 */
    corrupt(20, N - 1, 1, -3);
    says(&e, "after the last whole group of 4", "");
    e.size[0] = N - 3; /* 21 = 10 * 2 + 1 = 5 * 4 + 1 */
    says(&e, "the very last one", "");
    e = vector();
    got[N - 1] = -3;
    says(&e, "the very last one", "");
    e = vector();
    corrupt(1, N, 2, -3);
    says(&e, "every 2nd one from 1 on", "");
    e = vector();
    corrupt(1, N, 2, -3);
    got[4] = -3;
    says(&e, "", "");
    e = vector();
    corrupt(0, N, 1, -3);
    says(&e, "all of them", "");
    e = vector();
    corrupt(1, N, 4, -3);
    corrupt(2, N, 4, -3);
    says(&e, "all with i % 4 = 1 or 2", "");
    got[9] = (float)want[9]; /* one of them is right: no rule */
    says(&e, "", "");
}

/* Patterns of a matrix. */
static void where_in_rows(void)
{
    struct expected e = vector();

    e.size[0] = 4;
    e.size[1] = 6;
    launch.block[0] = 0;
    corrupt(18, N, 1, -3);
    says(&e, "last row", "");
    e = vector();
    e.size[0] = 4;
    e.size[1] = 6;
    corrupt(5, N, 6, -3);
    says(&e, "last column", "");
    corrupt(4, N, 6, -3);
    says(&e, "", "");
}

/* One of three elements that follow the last float4. */
static void one_of_the_rest(void)
{
    enum { ALL = 127 };
    static double right[ALL];
    static float all[ALL];
    struct expected e = {.name = "y", .got = all, .want = right,
                         .type = FLOAT32, .size = {ALL}};

    for (size_t i = 0; i < ALL; i++) {
        right[i] = 100 + (double)i;
        all[i] = (float)right[i];
    }
    all[124] = -7;
    says(&e, "only after the last whole group of 4, from element 124", "");
    all[60] = -3; /* and another one */
    says(&e, "", "");
}

/* Of five rows all are near the edges: to say so tells nothing. */
static void near_the_edges(void)
{
    enum { SIDE = 24 };
    static double want[SIDE * SIDE];
    static float all[SIDE * SIDE];
    struct expected e = {.name = "c", .got = all, .want = want,
                         .type = FLOAT32, .size = {SIDE, SIDE}};

    for (size_t i = 0; i < SIDE * SIDE; i++) {
        const size_t x = i % SIDE, y = i / SIDE;

        want[i] = 100 + (double)i;
        all[i] = x < 2 || y < 2 || x > SIDE - 3 || y > SIDE - 3
                     ? -3 - (float)(i * i % 17) : (float)want[i];
    }
    launch.block[0] = 0;
    says(&e, "all near the edges", "");
    e.size[0] = 6;
    e.size[1] = SIDE * SIDE / 6;
    says(&e, "", "");
    e.size[0] = e.size[1] = SIDE;
    for (size_t i = 0; i < SIDE * SIDE; i++)
        all[i] = i == 39 || i == 65 ? -3 : (float)want[i];
    says(&e, "", "");
}

/* Registers that were never set; a small number beside them is none. */
static void what_of_locals(void)
{
    struct expected e = vector();

    corrupt(3, 7, 1, 3e-41f);
    says(&e, NULL, "local variable");
    e = vector();
    corrupt(3, 7, 1, 3e-41f);
    got[5] = 3e-35f;
    says(&e, NULL, "");
}

/* Among subnormal numbers one more is no register. */
static void what_of_subnormals(void)
{
    struct expected e = vector();

    want[3] = 3e-45f;
    got[3] = 9e-45f;
    says(&e, NULL, "");
}

/* Patterns of wrong elements. */
static void what(void)
{
    struct expected e = vector();

    corrupt(3, 7, 1, 0);
    says(&e, NULL, "zero");
    got[4] = 1;
    says(&e, NULL, "");
    e = vector();
    memcpy(got, input, sizeof got);
    says(&e, "all of them", "the input, unchanged");
    e = vector();
    for (int i = 0; i < 3; i++)
        got[i] = (float)(7 + i);
    says(&e, "the first 3", "previous call");
    e = vector();
    for (int i = 0; i + 1 < N; i++)
        got[i] = (float)want[i + 1];
    says(&e, NULL, "next element");
    e = vector();
    e.size[0] = 3; /* too few to tell a shift from another order */
    got[2] = 9;
    got[1] = (float)want[2];
    got[0] = (float)want[1];
    says(&e, NULL, "");
    e = vector();
    for (int i = 0; i < N; i++)
        got[i] *= 2;
    says(&e, "all of them", "2 times");
    e = vector();
    for (int i = 0; i < N; i++)
        got[i] = (float)(want[i] * (1 + (i % 2 ? 0x1.1p-10 : -0x1p-10)));
    says(&e, "all of them", "lower precision");
    e = vector();
    for (int i = 0; i < N; i++)
        want[i] = 1000 * i + 1003, got[i] = (float)want[i] + (i % 3 ? 2 : 1);
    says(&e, "all of them", "whole numbers near");
    e = vector();
    want[1] = 216125, got[1] = 216064; /* half has 11 bits */
    says(&e, NULL, "lower precision");
    e = vector();
    want[2] = -INFINITY;
    got[2] = -3.4e38f;
    says(&e, NULL, "FLT_MAX");
}

/* Numbers in place of NaN and infinities, and the other way round. */
static void what_of_infinities(void)
{
    struct expected e = vector();

    want[2] = want[9] = -INFINITY;
    got[2] = got[9] = -3;
    says(&e, NULL, "finite instead of infinite");
    got[2] = got[9] = 0;
    says(&e, NULL, "0 instead of an infinity");
    got[9] = -INFINITY;
    want[12] = 5, got[12] = 0; /* is no infinity */
    says(&e, NULL, "all zero");
    e = vector();
    want[2] = want[9] = NAN;
    got[2] = 0, got[9] = 4;
    says(&e, NULL, "a number instead of NaN");
    got[9] = 0;
    says(&e, NULL, "0 times infinity is NaN");
    want[9] = 7;
    says(&e, NULL, "all zero");
}

/* Off by one: bytes are rounded, whole numbers counted. */
static void what_of_integers(void)
{
    static const double due[5] = {7, 8, 9, 10, 31}, few[5] = {0, 1, 0, 1, 0};
    const int32_t counts[3] = {7, 8, 10};
    const uint8_t bytes[5] = {7, 9, 10, 9, 30}, flipped[5] = {1, 0, 1, 0, 1};

    says(&(struct expected){.name = "n", .got = counts, .want = due,
                            .type = INT32, .size = {3}}, NULL, "counted twice");
    says(&(struct expected){.name = "n", .got = bytes, .want = due,
                            .type = UINT8, .size = {5}}, NULL, "rounded");
    says(&(struct expected){.name = "n", .got = bytes, .want = due,
                            .type = UINT8, .size = {4}}, NULL, "");
    says(&(struct expected){.name = "n", .got = flipped, .want = few,
                            .type = UINT8, .size = {5}}, "all of them", "");
}

/* One channel of an image, and the same elements of a matrix. */
static void where_in_channels(void)
{
    uint8_t pixels[2 * 3 * 4] = {0};
    double due[2 * 3 * 4] = {0};
    struct expected e = {.name = "out", .got = pixels, .want = due,
                         .type = UINT8, .size = {2, 3, 4}};

    for (int i = 0; i < 24; i++)
        due[i] = i % 4 == 3 ? 40 + i : 0;
    says(&e, "all in channel 3", "all zero");
    pixels[0] = 1;
    says(&e, NULL, "");
}

/* A float that was shared memory which no thread wrote. */
static void fill_float(float *to, uint16_t pattern)
{
    const uint16_t halves[2] = {pattern, pattern};

    memcpy(to, halves, sizeof halves);
}

/* Bits that an addition of 0, or a product with 1, has changed. */
static void what_of_bits(void)
{
    uint32_t bits[N];
    struct expected e = {.name = "out", .got = bits, .want = want,
                         .type = BITS32, .size = {N}};

    for (int i = 0; i < N; i++) {
        want[i] = i % 3 ? 0x7f800001 + i : 0x1p31;
        bits[i] = (uint32_t)want[i] | (i % 3 ? 1 << 22 : 0);
    }
    says(&e, NULL, "such as x * 1: NaNs became quiet");
    for (int i = 0; i < N; i += 3)
        bits[i] = 0;
    says(&e, NULL, "such as x + 0: NaNs became quiet, or -0 became 0");
    for (int i = 0; i < N; i++)
        bits[i] = (uint32_t)want[i] + 5;
    says(&e, NULL, "");
}

/* Memory that no thread wrote, or no call copied. */
static void what_of_memory(void)
{
    struct expected e = vector();

    memset(got + 17, 0xCB, 7 * sizeof *got);
    says(&e, "last block", "never written");
    is_on_device = true;
    says(&e, "last block", "read from memory that no thread wrote");
    is_on_device = false;
    launch.launches = 0;
    says(&e, NULL, "no kernel was launched");
    e = vector();
    launch.grid[0] = 2;
    memset(got + 16, 0xCB, 8 * sizeof *got);
    says(&e, NULL, "2 blocks of 8 threads are 16 threads, for 24 elements: "
                   "round the number of blocks up");
    launch.grid[1] = 2, launch.block[0] = 4; /* a grid of two dimensions */
    says(&e, NULL, "2 x 2 blocks of 4 threads are 16 threads, for 24");
    launch.grid[1] = 1;
    memset(launch.grid, 0, sizeof launch.grid); /* not counted: all wrong */
    corrupt(0, N, 1, -3);
    says(&e, "all of them", "");
    e = vector();
    launch.counted = 1;
    memset(got, 0xCB, sizeof got);
    says(&e, NULL, "nothing was copied from the device");
    launch.d2h_bytes = 1;
    says(&e, NULL, "never written, though");
    e = vector();
    launch.counted = 1;
    launch.d2h_bytes = N; /* a quarter of them */
    memset(got + N / 4, 0xCB, (N - N / 4) * sizeof *got);
    says(&e, NULL, "is its length in bytes?");
    launch.d2h_bytes = 4 * N; /* all bytes came: not the copy */
    says(&e, NULL, "never written");
    e = vector();
    launch.counted = 1;
    launch.d2h_bytes = 4 * (N - 5); /* not the last five */
    memset(got + N - 5, 0xCB, 5 * sizeof *got);
    says(&e, NULL, "76 bytes were copied from the device to the host, and the "
                   "output has 96");
    e = vector();
    launch.counted = 1;
    launch.d2h_bytes = 1;
    memset(got, 0xCB, sizeof got);
    e.size[0] = 2; /* fewer than the call before had */
    says(&e, NULL, "never written");
    CU_ASSERT_PTR_NULL(said_hint);
}

/* The patterns of what a kernel reads where nothing was written. */
static void what_of_patterns(void)
{
    struct expected e = vector();

    got[3] = NAN;
    says(&e, NULL, "NaN");
    e = vector();
    for (int i = 4; i < 8; i++)
        fill_float(&got[i], 0x7ff5);
    says(&e, NULL, "read from shared memory that no thread wrote");
    got[9] = -3;
    says(&e, NULL, "4 of them were read from shared memory");
    e = vector();
    for (int i = 4; i < 8; i++)
        fill_float(&got[i], 0x7ff7);
    says(&e, NULL, "a shuffle took a value from a lane");
    e = vector();
    for (int i = 4; i < 8; i++)
        fill_float(&got[i], 0x7ff6);
    says(&e, NULL, "fill_fragment()");
}

/* Rows and columns. */
static void transposed(void)
{
    struct expected e = vector();

    e.size[0] = 4;
    e.size[1] = 6;
    for (int i = 0; i < N; i++)
        got[i] = (float)want[i % 4 * 6 + i / 4];
    says(&e, NULL, "exchanged");
}

/* The thread that should have written an element. */
static void threads(void)
{
    struct expected e = vector();
    struct comparison c = {.count = N};
    struct evidence evidence = {&e, &c, NULL, NULL, 0, &launch, false};
    char text[DIAGNOSIS_SIZE];

    diagnose_thread(&evidence, 17, text);
    CU_ASSERT_STRING_EQUAL(text, "block 2, thread 1 of 8");
    launch.grid[0] = 2; /* fewer threads than elements */
    diagnose_thread(&evidence, 17, text);
    CU_ASSERT_STRING_EQUAL(text, "");
    launch.grid[0] = 3;
    e.size[0] = 4;
    e.size[1] = 6;
    memcpy(launch.grid, (uint32_t[]){3, 2, 1}, sizeof launch.grid);
    memcpy(launch.block, (uint32_t[]){2, 2, 1}, sizeof launch.block);
    diagnose_thread(&evidence, 17, text);
    CU_ASSERT_STRING_EQUAL(text, "block (2, 1), thread (1, 0)");
    e.is_moved = true;
    diagnose_thread(&evidence, 17, text);
    CU_ASSERT_STRING_EQUAL(text, "");
}

int main(void)
{
    CU_TestInfo tests[] = {{"where, in a vector", where},
                           {"where, in rows", where_in_rows},
                           {"near the edges", near_the_edges},
                           {"one of the rest", one_of_the_rest},
                           {"what is in them", what},
                           {"infinities in them", what_of_infinities},
                           {"subnormal numbers in them", what_of_subnormals},
                           {"locals that were not set", what_of_locals},
                           {"what is in integers", what_of_integers},
                           {"where in channels", where_in_channels},
                           {"bits after arithmetic", what_of_bits},
                           {"memory that was not written", what_of_memory},
                           {"patterns of memory", what_of_patterns},
                           {"rows and columns exchanged", transposed},
                           {"block and thread", threads},
                           CU_TEST_INFO_NULL};

    return run_tests("diagnose", tests);
}
