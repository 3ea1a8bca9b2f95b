/* SPDX-License-Identifier: MIT */
/* Hints about errors of CUDA that a call returned or left behind. */
#include "error_hint.h"

#include <string.h>

#include "state.h"

static const char no_elements[] =
    "There is nothing to do: return before the first call. Some calls refuse 0 "
    "bytes or 0 blocks.";
static const char refused_argument[] =
    "A call refused one of its arguments; where CUDA_CHECK prints it, a line "
    "above names it. Is the direction of a copy that of its pointers? Do its "
    "bytes fit in both arrays: is sizeof that of an element, not of a pointer, "
    "does an offset count elements, and is the array of this call, not of an "
    "earlier one?";
static const char no_blocks[] =
    "The number of blocks is 0: n / threads of two integers is rounded down, "
    "before any ceil(); so is n / 4, the number of vectors, before it. "
    "(n + threads - 1) / threads rounds up.";

const char *error_hint(int64_t status, int64_t error, const char *printed)
{
    enum { INVALID_VALUE = 1, INVALID_CONFIGURATION = 9, INVALID_SYMBOL = 13,
           DEADLOCK = 702, ALREADY_REGISTERED = 712, MISALIGNED_ADDRESS = 716 };

    switch (error == DEADLOCK || !status ? error : status) {
    case INVALID_VALUE:
        return status != error         ? NULL
               : suite_call_is_empty() ? no_elements : refused_argument;
    case INVALID_CONFIGURATION: /* the test of no element has a hint */
        return suite_call_is_empty()
                       || !strstr(printed, "a grid without blocks")
                   ? NULL : no_blocks;
    case INVALID_SYMBOL:
        return "cudaMemcpyToSymbol and its like take the __constant__ or "
               "__device__ variable itself: not its name in quotes, not its "
               "address.";
    case DEADLOCK:
        return "Threads of a block wait for each other. A barrier is for all "
               "threads of the block that have not returned, and a shuffle's "
               "mask names only lanes that call it: is one of them in a branch "
               "that others do not take?";
    case ALREADY_REGISTERED:
        return "An earlier call, or this one, has registered this memory, or a "
               "part of it: each cudaHostRegister() needs its "
               "cudaHostUnregister(), on every path.";
    case MISALIGNED_ADDRESS:
        return "A float4 is accessed at multiples of 16 bytes, a float2 at "
               "multiples of 8. That depends on where the array, or its part "
               "of an allocation, starts; on the index; and in a matrix on the "
               "length of a row: each array needs a check of its own, of the "
               "pointer and of the row length that are its.";
    default:
        return NULL;
    }
}
