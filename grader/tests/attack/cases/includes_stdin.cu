/* SPDX-License-Identifier: MIT */
/* Includes a device, which has no end or no text. */
#include "hostile.h"

#include "/dev/stdin"

RIGHT_IF(true)
