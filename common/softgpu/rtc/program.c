/* SPDX-License-Identifier: MIT */
/* Programs of NVRTC: what is given and what is asked for. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition, result) \
    do {                           \
        if (!(condition))          \
            return (result);       \
    } while (0)
#define REQUIRE_PROGRAM(p) REQUIRE(p, NVRTC_ERROR_INVALID_PROGRAM)
#define REQUIRE_INPUT(condition) REQUIRE(condition, NVRTC_ERROR_INVALID_INPUT)

/* The name of a result, as NVRTC spells it. */
const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {
        "NVRTC_SUCCESS",
        "NVRTC_ERROR_OUT_OF_MEMORY",
        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT",
        "NVRTC_ERROR_INVALID_PROGRAM",
        "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION",
        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        "NVRTC_ERROR_INTERNAL_ERROR",
        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
        "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
        "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
        "NVRTC_ERROR_PCH_CREATE",
        "NVRTC_ERROR_CANCELLED",
        "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
    };

    return (size_t)result < sizeof names / sizeof *names
               ? names[result] : "NVRTC_ERROR unknown";
}

/* The version of NVRTC whose interface this is. */
nvrtcResult nvrtcVersion(int *major, int *minor)
{
    REQUIRE_INPUT(major && minor);
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}

/* Compute capabilities, 10 times the major version plus the minor one. */
static const int archs[] = {75, 80, 86, 87, 89, 90};

/* Number of elements that nvrtcGetSupportedArchs() writes. */
nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    REQUIRE_INPUT(count);
    *count = sizeof archs / sizeof *archs;
    return NVRTC_SUCCESS;
}

/* Write the compute capabilities, in ascending order. */
nvrtcResult nvrtcGetSupportedArchs(int *to)
{
    REQUIRE_INPUT(to);
    memcpy(to, archs, sizeof archs);
    return NVRTC_SUCCESS;
}

/* --- creation ------------------------------------------------------------- */

/* Copy a list of texts.  @return false without memory, or if one is NULL */
static bool copy_texts(char ***to, const char *const *from, int n)
{
    *to = calloc((size_t)n + 1, sizeof **to);
    for (int i = 0; *to && i < n; i++)
        if (!from[i] || !((*to)[i] = strdup(from[i])))
            return false;
    return *to != NULL;
}

/* Free a list of texts, which may be NULL. */
static void free_texts(char **list, int n)
{
    for (int i = 0; list && i < n; i++)
        free(list[i]);
    free(list);
}

/* Free a program and set the handle to NULL. */
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    REQUIRE_PROGRAM(program && *program);
    nvrtcProgram p = *program;
    *program = NULL;
    for (int i = 0; i < p->name_count; i++) {
        free(p->names[i].expression);
        free(p->names[i].lowered);
    }
    free(p->names);
    free_texts(p->headers, p->header_count);
    free_texts(p->header_names, p->header_count);
    free(p->source);
    free(p->name);
    free(p->module);
    free(p->ptx);
    free(p->log);
    free(p);
    return NVRTC_SUCCESS;
}

/* Copy the source, its name and its headers.  A program without a name is
 * called "default_program". */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source,
                               const char *name, int header_count,
                               const char *const *headers,
                               const char *const *names)
{
    REQUIRE_INPUT(program && source && header_count >= 0
                  && (!header_count || (headers && names)));
    nvrtcProgram p = *program = calloc(1, sizeof *p);
    REQUIRE(p, NVRTC_ERROR_OUT_OF_MEMORY);
    p->header_count = header_count;
    p->source = strdup(source);
    p->name = strdup(name && *name ? name : "default_program");
    if (p->source && p->name && copy_texts(&p->headers, headers, header_count)
        && copy_texts(&p->header_names, names, header_count))
        return NVRTC_SUCCESS;
    nvrtcDestroyProgram(program);
    return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
}

/* Note a name whose lowered name will be asked for; before the compilation
 * only. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression)
{
    REQUIRE_PROGRAM(p);
    REQUIRE_INPUT(expression);
    REQUIRE(!p->compiled, NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    struct rtc_name *more =
        realloc(p->names, ((size_t)p->name_count + 1) * sizeof *more);
    REQUIRE(more, NVRTC_ERROR_OUT_OF_MEMORY);
    p->names = more;
    more[p->name_count] = (struct rtc_name){strdup(expression), NULL};
    REQUIRE(more[p->name_count].expression, NVRTC_ERROR_OUT_OF_MEMORY);
    p->name_count++;
    return NVRTC_SUCCESS;
}

/* --- results -------------------------------------------------------------- */

/* Compile, and look up the lowered names.  The log tells what is wrong
 * where the result is NVRTC_ERROR_COMPILATION. */
nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int option_count,
                                const char *const *options)
{
    REQUIRE_PROGRAM(p);
    REQUIRE_INPUT(option_count >= 0 && (!option_count || options));
    const nvrtcResult result = rtc_compile(p, option_count, options);
    p->compiled = true;
    return result ? result : rtc_lower_names(p);
}

/* Copy a result of the compilation; without one there is none to copy. */
static nvrtcResult get(nvrtcProgram p, const void *from, size_t bytes,
                       void *to, size_t *size)
{
    REQUIRE_PROGRAM(p && p->compiled);
    REQUIRE_INPUT(to || size);
    REQUIRE(from, NVRTC_ERROR_INVALID_PROGRAM);
    if (size)
        *size = bytes;
    if (to)
        memcpy(to, from, bytes);
    return NVRTC_SUCCESS;
}

/* Bytes of the PTX, with the 0 at its end. */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *bytes)
{
    return get(p, p ? p->ptx : NULL, p && p->ptx ? strlen(p->ptx) + 1 : 0,
               NULL, bytes);
}

/* Copy the PTX, with the 0 at its end. */
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *ptx)
{
    return get(p, p ? p->ptx : NULL, p && p->ptx ? strlen(p->ptx) + 1 : 0, ptx,
               NULL);
}

/* Bytes of the cubin: 0 where a virtual architecture was asked for. */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *bytes)
{
    return get(p, p ? p->module : NULL,
               p && !p->is_virtual ? p->module_bytes : 0, NULL, bytes);
}

/* Copy the cubin. */
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *cubin)
{
    return get(p, p ? p->module : NULL,
               p && !p->is_virtual ? p->module_bytes : 0, cubin, NULL);
}

/* Bytes of the compiler's messages, with the 0 at their end. */
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *bytes)
{
    return get(p, p ? p->log : NULL, p && p->log ? strlen(p->log) + 1 : 0,
               NULL, bytes);
}

/* Copy the compiler's messages, with the 0 at their end. */
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log)
{
    return get(p, p ? p->log : NULL, p && p->log ? strlen(p->log) + 1 : 0, log,
               NULL);
}

/* The lowered (mangled) name of an expression that was noted.  It is valid
 * until the program is destroyed. */
nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression,
                                const char **name)
{
    REQUIRE_PROGRAM(p);
    REQUIRE_INPUT(expression && name);
    REQUIRE(p->compiled, NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    for (int i = 0; i < p->name_count; i++)
        if (strcmp(p->names[i].expression, expression) == 0
            && p->names[i].lowered) {
            *name = p->names[i].lowered;
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
