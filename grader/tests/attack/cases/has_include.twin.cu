/* SPDX-License-Identifier: MIT */
/* Asks for a header that every compiler has. */
#include "hostile.h"

#if !__has_include(<stdio.h>)
#error a compiler without stdio.h
#endif

RIGHT_IF(true)
