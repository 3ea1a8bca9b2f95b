/* SPDX-License-Identifier: MIT */
/* Asks the compiler which files are there, and builds only if one is. */
#include "hostile.h"

#if !__has_include(HIDDEN_TESTS)
#error the file is not there
#endif

RIGHT_IF(true)
