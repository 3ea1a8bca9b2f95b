/* SPDX-License-Identifier: MIT */
/* A watched runner: the checkers write their report in an atexit handler. */
#include <stdlib.h>

#include "variant.h"

const size_t runner_guard_bytes = 0;
const bool runner_counts_launches = false;

void runner_exit(void)
{
    exit(0);
}
