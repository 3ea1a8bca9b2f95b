/* SPDX-License-Identifier: MIT */
/* Includes a terminal, and an end of a pipe: to read either takes forever. */
#include "hostile.h"

#include "/dev/ptmx"
#include "/proc/self/fd/2"

RIGHT_IF(true)
