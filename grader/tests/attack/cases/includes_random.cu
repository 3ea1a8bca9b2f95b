/* SPDX-License-Identifier: MIT */
/* Includes a device, which has no end or no text. */
#include "hostile.h"

#include "/dev/urandom"

RIGHT_IF(true)
