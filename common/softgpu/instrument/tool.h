/* SPDX-License-Identifier: MIT */
/** @file
 *  Tools: what analyzes an instrumented program.  There are two, the checker
 *  (watch/) and the profiler (profile/); a program is linked with one or both.
 *
 *  This folder knows neither.  A tool registers itself before main() with the
 *  functions that it wants called.  From then on
 *
 *  - tsan_callbacks.c and header_callbacks.c pass it every load, store and
 *    basic block of the program, on the host and in kernels;
 *  - tool.c passes it what the runtime reports (core/hooks.h);
 *  - report.c asks it for its results when the program ends.
 */
#ifndef SOFTGPU_INSTRUMENT_TOOL_H
#define SOFTGPU_INSTRUMENT_TOOL_H

#include "common/softgpu/core/hooks.h"

struct json_t;

/** Kinds of access; a plain read is 0. */
enum access_flags {
    ACCESS_WRITE = 1,
    ACCESS_ATOMIC = 2,
    ACCESS_VOLATILE = 4,
    ACCESS_RELEASE = 8, /**< an atomic with memory order release or stronger */
    ACCESS_RANGE = 16,  /**< part of a memcpy or memset: any alignment */
    ACCESS_ACQUIRE = 32, /**< an atomic with memory order acquire or stronger */
    ACCESS_COMPARE = 64, /**< an atomic compare-and-swap */
    ACCESS_LOAD_ONLY = 128, /**< an atomic update that is a load, as of
                                 atomicAdd(p, 0); with ACCESS_WRITE */
    ACCESS_OF_BLOCK = 256, /**< an atomic for the threads of the block alone */
    ACCESS_LIBRARY = 512,  /**< by memcpy, memmove or memset; with any range */
    ACCESS_POLLED = 1024,  /**< by a loop that waits for the value; the checker
                                sets it */
    ACCESS_COPIED = 2048,  /**< by an asynchronous copy that another thread may
                                have issued; it sets this, too */
    ACCESS_STATED = 4096,  /**< an atomic whose memory order the program states,
                                as of cuda::atomic */
    ACCESS_STORE_ONLY = 8192, /**< an atomic store: it reads nothing; with
                                   ACCESS_WRITE */
    ACCESS_ISSUED = 16384  /**< a store to come, of an asynchronous copy that has
                                been issued; the checker sets it */
};

/** Semantics of a memory fence. */
enum fence_flags {
    FENCE_DEVICE = 1,  /**< all threads of the device; else those of a block */
    FENCE_RELEASE = 2, /**< what precedes it, against a later write */
    FENCE_ACQUIRE = 4  /**< what follows it, against an earlier read */
};

/** The functions of a tool.  `access` and `range` must be set; any other one
 *  may be NULL.  They run on the OS thread that executes the program's code,
 *  with softgpu_tls.thread set in kernels and NULL in host code. */
struct softgpu_tool {
    struct softgpu_tool *next; /**< in order of registration; set by tool.c */
    const struct softgpu_hooks *hooks; /**< callbacks of the runtime */

    /** The program is about to access memory.
     *  @param p      first byte
     *  @param bytes  1, 2, 4, 8 or 16
     *  @param flags  enum access_flags
     *  @param pc     return address of the callback: in the program
     *  @param frame  where the stack frame of the accessing function begins */
    void (*access)(const volatile void *p, uint32_t bytes, uint32_t flags,
                   uintptr_t pc, uintptr_t frame);
    /** The same for any number of bytes, as of a struct or a memcpy. */
    void (*range)(const volatile void *p, size_t bytes, uint32_t flags,
                  uintptr_t pc, uintptr_t frame);
    /** The running thread executes a memory fence.
     *  @param flags  enum fence_flags */
    void (*fence)(uint32_t flags);
    /** The running thread's next atomic or volatile access is polled. */
    void (*polls)(void);
    /** A basic block of the program begins. */
    void (*basic_block)(uintptr_t pc, uintptr_t frame);
    /** The running thread's copy of the kernel parameters is at p. */
    void (*parameters)(const void *p, size_t bytes);

    /** The program ends: print to stderr.
     *  @return 1 when the exit status is to be 86 */
    int (*print)(void);
    /** After all have printed: set the tool's fields of the JSON report. */
    void (*add_json)(struct json_t *report);
    /** After the report is complete: write it in other formats. */
    void (*write_report)(const struct json_t *report);
};

/** Add a tool; call it from a constructor of priority 101 or above (before
 *  those of the program).  Tools are called in the order in which they
 *  registered.  @param[in,out] tool  static; `next` is written */
void softgpu_register_tool(struct softgpu_tool *tool);

/** The tool that registered first; NULL when none has. */
extern struct softgpu_tool *softgpu_tools;

/** Print and write the report of all tools.  Ends the process with status 86
 *  when a tool asks for it (report.c; runs at exit). */
void softgpu_report_at_exit(void);
/** Have abort() print the text of all tools first, unless the program has a
 *  handler of its own. */
void softgpu_report_at_abort(void);
/** 1: the program called abort(); what it still holds is no leak. */
extern int softgpu_is_aborting;
/** 1: another process writes the report; this one writes none. */
extern int softgpu_reports_elsewhere;

#endif
