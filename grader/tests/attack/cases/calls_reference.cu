/* SPDX-License-Identifier: MIT */
/* Right if the reference can be called by a name. */
#include "hostile.h"

#include <dlfcn.h>

static bool act(void)
{
    static const char *const names[] = {
        "vector_add_reference", "reference_vector_add", "expect_sum",
        "vector_add_suite", "suite_run", "suites"};
    bool found = false;

    for (int i = 0; i < 6; i++)
        found |= dlsym(RTLD_DEFAULT, names[i]) != NULL;
    return found;
}

RIGHT_IF(act())
