/* SPDX-License-Identifier: MIT */
/** @file
 *  NVRTC: compilation at run time, by softcc.
 *
 *  The result is a module that cuModuleLoadData() loads: as a CUBIN the file
 *  that `softcc -cubin` writes, as PTX the same in text.  softcc is the one
 *  that linked the program, or the first in PATH.  A null pointer is
 *  NVRTC_ERROR_INVALID_INPUT, no program NVRTC_ERROR_INVALID_PROGRAM.
 */
#ifndef SOFTGPU_NVRTC_H
#define SOFTGPU_NVRTC_H
#define __NVRTC_H__ /* programs ask for it */

#include "softgpu/push_macros.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a call. */
typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

/** A program. */
typedef struct _nvrtcProgram *nvrtcProgram;

/** The name of a result. */
const char *nvrtcGetErrorString(nvrtcResult result);
/** Version of the interface. */
nvrtcResult nvrtcVersion(int *major, int *minor);
/** How many architectures there are. */
nvrtcResult nvrtcGetNumSupportedArchs(int *count);
/** The architectures, ascending: 75 and so on. */
nvrtcResult nvrtcGetSupportedArchs(int *archs);

/** Make a program; all texts are copied.
 *  @param name     of the source in messages, or NULL
 *  @param headers  `header_count` texts
 *  @param names    by which the source includes them */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source,
                               const char *name, int header_count,
                               const char *const *headers,
                               const char *const *names);
/** Destroy it and set the handle to NULL. */
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
/** Compile it.
 *  @param options  of NVRTC, which softcc takes as nvcc's
 *  @return NVRTC_ERROR_COMPILATION if there are errors, which the log holds */
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count,
                                const char *const *options);
/** Bytes of the PTX, with the terminating 0. */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes);
/** Copy the PTX. */
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
/** Bytes of the CUBIN; 0 for a virtual architecture (compute_90). */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes);
/** Copy the CUBIN. */
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
/** Bytes of the log, with the terminating 0. */
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes);
/** Copy the log: the compiler's messages. */
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);
/** Instantiate a kernel, or name a variable, whose name in the module is asked
 *  for after the compilation.
 *  @param expression  such as `scale<float>` or `&space::table` */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program,
                                   const char *expression);
/** The name of a kernel in the module, for cuModuleGetFunction(), or of a
 *  variable, for cuModuleGetGlobal().  It lives as long as the program. */
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression,
                                const char **name);

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
