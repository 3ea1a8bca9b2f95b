/* SPDX-License-Identifier: MIT */
/* Includes the environment of its compiler. */
#include "hostile.h"

#include "/proc/self/environ"

RIGHT_IF(true)
