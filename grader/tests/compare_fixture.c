/* SPDX-License-Identifier: MIT */
/* A correct output and what is said of it: see compare_fixture.h. */
#include "compare_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"

float got[N];
double want[N];
float input[N];
struct facts launch;
bool is_on_device;
const char *said_hint;

struct expected vector(void)
{
    launch = (struct facts){.launches = 1, .grid = {3, 1, 1},
                            .block = {8, 1, 1}};
    for (int i = 0; i < N; i++) {
        want[i] = i * i + 0.5;
        got[i] = (float)want[i];
        input[i] = (float)(100 - i);
    }
    return (struct expected){.name = "c", .got = got, .want = want,
                             .type = FLOAT32, .size = {N}, .input = input};
}

void says(const struct expected *expected, const char *where, const char *what)
{
    static const double previous[N] = {7, 8, 9};
    char text[DIAGNOSIS_SIZE];
    struct comparison comparison;
    struct evidence evidence = {expected, &comparison, NULL, previous, 3,
                                &launch, is_on_device};

    CU_ASSERT_TRUE(compare(expected, &comparison));
    diagnose_location(&evidence, text);
    CU_ASSERT_TRUE(!where || (*where ? strstr(text, where) != NULL : !*text));
    diagnose_values(&evidence, text, &said_hint);
    CU_ASSERT_TRUE(*what ? strstr(text, what) != NULL : !*text);
    free(comparison.wrong_mask);
}

size_t wrong(const struct expected *expected)
{
    struct comparison comparison;

    CU_ASSERT_TRUE(compare(expected, &comparison));
    free(comparison.wrong_mask);
    return comparison.wrong;
}

void corrupt(size_t from, size_t to, size_t step, float value)
{
    for (size_t i = from; i < to; i += step)
        got[i] = value;
}
