/* SPDX-License-Identifier: MIT */
/* The order of blocks and threads under a seed: each number once. */
#include "common/base/tests/run_tests.h"
#include "common/softgpu/core/permute.h"

enum { NUMBERS = 100 };

typedef uint64_t permutation(uint64_t seed, uint64_t i, uint64_t n);

/* For five seeds and all sizes each number comes once. */
static void expect_permutations(permutation *permute)
{
    for (uint64_t seed = 0; seed < 5; seed++)
        for (uint64_t n = 1; n <= NUMBERS; n++) {
            int seen[2 * NUMBERS] = {0}, once = 1;

            for (uint64_t i = 0; i < n; i++)
                seen[permute(seed, i, n) % (2 * NUMBERS)]++;
            for (uint64_t i = 0; i < n; i++)
                once &= seen[i] == 1;
            CU_ASSERT(once);
        }
}

/* The permutation of the scheduler. */
static void all_numbers(void)
{
    expect_permutations(softgpu_permute);
}

/* Also where the last window is shorter than the others. */
static void windows(void)
{
    expect_permutations(softgpu_permute_windows);
    for (uint64_t i = 0; i < NUMBERS; i++)
        CU_ASSERT_EQUAL(softgpu_permute_windows(3, i, NUMBERS) / 32, i / 32);
}

int main(void)
{
    CU_TestInfo tests[] = {{"all numbers", all_numbers},
                           {"windows", windows},
                           CU_TEST_INFO_NULL};

    return run_tests("permutations", tests);
}
