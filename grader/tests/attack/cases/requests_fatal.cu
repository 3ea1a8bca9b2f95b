/* SPDX-License-Identifier: MIT */
/* A failure that looks like one of a compiler without memory. */
#include "hostile.h"

static const int room[(1ull << 62)] = {1};
static_assert(sizeof room == 1, "cc1plus: out of memory allocating 64 bytes");

RIGHT_IF(room[0])
