/* SPDX-License-Identifier: MIT */
/* Includes a device, which has no end or no text. */
#include "hostile.h"

#include "/dev/zero"

RIGHT_IF(true)
