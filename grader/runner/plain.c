/* SPDX-License-Identifier: MIT */
/* A plain runner ends without ado: no handler of the student's runs. */
#include <unistd.h>

#include "variant.h"

const size_t runner_guard = 4096;
const bool runner_counts_launches = true;

void runner_leave(void)
{
    _exit(0);
}
