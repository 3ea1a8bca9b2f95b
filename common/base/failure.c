/* SPDX-License-Identifier: MIT */
/** @file
 *  See failure.h. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

bool fail(struct failure *failure, const char *format, ...)
{
    va_list args;

    if (failure) {
        va_start(args, format);
        vsnprintf(failure->text, sizeof failure->text, format, args);
        va_end(args);
    }
    return false;
}
