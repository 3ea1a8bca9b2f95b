/* SPDX-License-Identifier: MIT */
/* Values of the command line that `train` refuses. */
#include "common/base/tests/run_tests.h"
#include "common/train/options.h"

/* Is the value accepted for the option? */
static bool accepts(const char *option, const char *value)
{
    static struct train_options options;
    char *argv[] = {"train", (char *)option, (char *)value, NULL};

    train_options_default(&options);
    return train_options_read(3, argv, &options);
}

/* Numbers that are none, infinite, or out of range. */
static void ranges(void)
{
    CU_ASSERT(accepts("--lr", "0.5"));
    CU_ASSERT_FALSE(accepts("--lr", "nan"));
    CU_ASSERT_FALSE(accepts("--lr", "inf"));
    CU_ASSERT_FALSE(accepts("--lr", "-1"));
    CU_ASSERT_FALSE(accepts("--lr", "0.5x"));
    CU_ASSERT_FALSE(accepts("--lr", ""));
}

/* Counts take no fraction. */
static void integers(void)
{
    CU_ASSERT(accepts("--epochs", "2"));
    CU_ASSERT_FALSE(accepts("--epochs", "2.5"));
    CU_ASSERT(accepts("--batch", "64"));
    CU_ASSERT_FALSE(accepts("--batch", "64.1"));
}

int main(void)
{
    CU_TestInfo tests[] = {{"ranges", ranges},
                           {"integers", integers},
                           CU_TEST_INFO_NULL};

    return run_tests("options", tests);
}
