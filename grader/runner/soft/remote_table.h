/* SPDX-License-Identifier: MIT */
/** @file
 *  What a table of remote calls becomes: the functions to which the linker
 *  sends the submission's calls, and the array of struct remote_function.  The
 *  file that includes this defines REMOTE_TABLE, the array's name, and
 *  REMOTE_CALLS, the file with the calls.
 *
 *      R(name, letters, sizes ...)  a call of the runtime's function
 *      C(name, letters, sizes ...)  of counted_NAME, which counts it
 */
#include "remote_call.h"

/* Their numbers. */
#define R(name, ...) NUMBER_##name,
#define C(name, ...) NUMBER_##name,
enum {
#include REMOTE_CALLS
    REMOTE_COUNT
};
#undef R
#undef C

/* Their functions: the device process's own calls go straight on. */
#define REMOTE_WRAPPER(name)                                                  \
    uint64_t __real_##name(REMOTE_PARAMETERS);                                \
    uint64_t __wrap_##name(REMOTE_PARAMETERS);                                \
    uint64_t __wrap_##name(REMOTE_PARAMETERS)                                 \
    {                                                                         \
        const struct remote_arguments arguments = {                           \
            {REMOTE_REGISTERS(REMOTE_NAME)                                    \
                 REMOTE_STACK(REMOTE_NAME)},                                  \
            {f0, f1, f2, f3}};                                                \
                                                                              \
        if (!remote_is_host)                                                  \
            return __real_##name(REMOTE_REGISTERS(REMOTE_NAME) f0, f1, f2,    \
                                 f3 REMOTE_STACK(REMOTE_STACKED_NAME));       \
        return remote_call(&REMOTE_TABLE[NUMBER_##name], &arguments,          \
                           __builtin_return_address(0));                      \
    }
#define R(name, ...) REMOTE_WRAPPER(name)
#define C(name, ...)                                                          \
    uint64_t counted_##name(REMOTE_PARAMETERS);                               \
    REMOTE_WRAPPER(name)
#include REMOTE_CALLS
#undef R
#undef C

/* The table. */
#define R(name, letters, ...)                                                 \
    [NUMBER_##name] = {#name, __real_##name, NULL, letters,                  \
                       {__VA_ARGS__}},
#define C(name, letters, ...)                                                 \
    [NUMBER_##name] = {#name, __real_##name, counted_##name, letters,        \
                       {__VA_ARGS__}},
const struct remote_function REMOTE_TABLE[] = {
#include REMOTE_CALLS
    {0}};
