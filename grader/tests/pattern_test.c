/* SPDX-License-Identifier: MIT */
/* Wrong elements at equal distances, and those of a tail that a few right ones
 * interrupt: each pattern, and a near miss. */
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "compare_fixture.h"

/* The second half of each eight elements. */
static void halves_of_tiles(void)
{
    struct expected e = vector();

    for (size_t first = 4; first < N; first += 8)
        corrupt(first, first + 4, 1, -3);
    says(&e, "4 of each 8 elements, in 3 places from element 4 on", "");
    got[9] = -3;
    says(&e, "", "");
    e = vector();
    corrupt(4, 8, 1, -3); /* a single one */
    says(&e, "", "");
}

/* A member of the vectors in some rows of a matrix. */
static void members_in_rows(void)
{
    struct expected e = vector();

    e.size[0] = 4;
    e.size[1] = 6;
    launch.block[0] = 0;
    corrupt(7, 12, 2, -3);
    corrupt(19, N, 2, -3);
    says(&e, "all in rows 1, 3, ... and columns 1, 3, ...", "");
    got[21] = (float)want[21];
    says(&e, "", "");
    got[21] = -3;
    got[14] = -3;
    says(&e, "", "");
}

/* A vector of which the elements from `first` on are wrong, but for about so
 * many percent. */
static void check_tail(size_t first, size_t percent, const char *where)
{
    enum { COUNT = 4000 };
    struct expected e = vector();
    float *values = malloc(COUNT * sizeof *values);
    double *wanted = malloc(COUNT * sizeof *wanted);

    CU_ASSERT_TRUE_FATAL(values && wanted);
    for (size_t i = 0; i < COUNT; i++) {
        wanted[i] = (double)i;
        values[i] = i >= first && i * i % 101 >= percent ? -3 : (float)i;
    }
    e.got = values;
    e.want = wanted;
    e.input = NULL;
    e.size[0] = COUNT;
    launch.launches = 0;
    says(&e, where, "");
    free(values);
    free(wanted);
}

static void tails(void)
{
    check_tail(2001, 2, "nearly all from element 2001 on, and none before");
    check_tail(2001, 20, ""); /* too many are right */
    check_tail(501, 2, "");
}

/* What a vector of `count` elements lacks after the first block of eight. */
static void after_first_block(size_t count, const char *what)
{
    struct expected e = vector();
    struct comparison c;
    unsigned char poison[sizeof got];
    struct evidence evidence = {&e, &c, poison, NULL, 0, &launch, true};
    char text[DIAGNOSIS_SIZE];
    const char *hint;

    e.size[0] = count;
    launch.grid[0] = 2;
    memset(got + 8, 0x5a, (count - 8) * sizeof *got);
    memset(poison, 0x5a, sizeof poison);
    CU_ASSERT_TRUE_FATAL(compare(&e, &c));
    diagnose_values(&evidence, text, &hint);
    CU_ASSERT_STRING_EQUAL(text, what);
    free(c.wrong_mask);
}

/* Three elements may also be the rest of a loop over float4, which the first
 * block stored while it was the only one. */
static void first_block(void)
{
    after_first_block(11, "never written: those behind as many as a block has "
                          "threads: does each index contain blockIdx? Or is a "
                          "division rounded down, as n / 4 or n / gridDim.x, "
                          "and leaves a rest?");
    after_first_block(12, "never written: only the elements of the first block "
                          "were; does each index contain blockIdx?");
}

int main(void)
{
    CU_TestInfo tests[] = {{"halves of tiles", halves_of_tiles},
                           {"members in rows", members_in_rows},
                           {"tails", tails},
                           {"first block", first_block},
                           CU_TEST_INFO_NULL};

    return run_tests("pattern", tests);
}
