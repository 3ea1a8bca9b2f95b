/* SPDX-License-Identifier: MIT */
/* Asks the compiler whether a file of the grader is newer than it. */
#include "hostile.h"

_Pragma("GCC dependency \"/etc/shadow\"")
#pragma GCC dependency "/proc/self/environ"
#include </proc/self/environ>
#include </proc/self/cmdline>
