/* SPDX-License-Identifier: MIT */
/* Hints about launches that are refused or end with an error. */
#include "launch_hint.h"

#include <stdbool.h>
#include <string.h>

/* Has an array of the call an element? */
static bool has_elements(const struct frame *call)
{
    for (unsigned i = 0; i < call->count; i++)
        if (call->arg[i].bytes > 0)
            return true;
    return false;
}

const char *launch_hint(int64_t error, const struct frame *call,
                        const char *printed)
{
    enum { INVALID_CONFIGURATION = 9, MISALIGNED_ADDRESS = 716 };

    if (error == MISALIGNED_ADDRESS)
        return "A float4 is accessed at multiples of 16 bytes, a float2 at "
               "multiples of 8. That depends on where the array, or its part "
               "of an allocation, starts; on the index; and in a matrix on the "
               "length of a row, of the input and of the output.";
    if (error != INVALID_CONFIGURATION || !has_elements(call)
        || !strstr(printed, "a grid without blocks"))
        return NULL; /* the test of no element has a hint */
    return "The number of blocks is 0: n / threads of two integers is rounded "
           "down, before any ceil(). (n + threads - 1) / threads rounds up.";
}
