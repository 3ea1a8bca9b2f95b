/* SPDX-License-Identifier: MIT */
/* Includes a header that lies outside of what is submitted. */
#include "hostile.h"

#include HIDDEN_TESTS

RIGHT_IF(HIDDEN_ANSWER == 42)
