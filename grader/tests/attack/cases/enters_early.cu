/* SPDX-License-Identifier: MIT */
/* The program's start-up code calls a profiler's function if there is one:
 * before main(), in the process that becomes the device process.  Right if it
 * ran. */
#include "hostile.h"

static int has_run;

extern "C" void __gmon_start__(void)
{
    has_run = 1;
}

RIGHT_IF(has_run)
