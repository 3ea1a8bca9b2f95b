/* SPDX-License-Identifier: MIT */
/** @file
 *  A program of NVRTC, and its compilation by softcc. */
#ifndef SOFTGPU_RTC_PROGRAM_H
#define SOFTGPU_RTC_PROGRAM_H

#include <stdbool.h>

#include "nvrtc.h"

/** A name whose mangled form is asked for. */
struct rtc_name {
    char *expression;
    char *lowered; /**< after the compilation */
};

/** A program; all texts are its own. */
struct _nvrtcProgram {
    char *source, *name;
    int header_count;
    char **headers, **header_names;
    struct rtc_name *names;
    int name_count;
    bool compiled;   /**< with success or not */
    bool is_virtual; /**< for an architecture compute_...: no CUBIN */
    char *module;    /**< or NULL */
    size_t module_bytes;
    char *ptx; /**< the module as text */
    char *log; /**< the compiler's messages */
};

/** Compile the program in a folder of its own, and read module and log. */
nvrtcResult rtc_compile(nvrtcProgram p, int option_count,
                        const char *const *options);
/** Find the mangled names in the module. */
nvrtcResult rtc_lower_names(nvrtcProgram p);

#endif
