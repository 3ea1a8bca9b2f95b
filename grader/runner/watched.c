/* SPDX-License-Identifier: MIT */
/* A watched runner: the watchers write their report at exit. */
#include <stdlib.h>

#include "variant.h"

const size_t runner_guard = 0;
const bool runner_counts_launches = false;

void runner_leave(void)
{
    exit(0);
}
