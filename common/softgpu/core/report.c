/* SPDX-License-Identifier: MIT */
/** @file
 *  The line that a failed kernel writes to stderr: kernel, launch
 *  configuration, cause, block, thread, and source line.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "code_range.h"
#include "fault.h"
#include "hooks.h"
#include "source_line.h"

enum { LINE = 1024 };

static char last_report[2 * LINE];

const char *softgpu_last_fault_report(void)
{
    return last_report;
}

/* --- the source line ------------------------------------------------------ */

/* The path relative to the working directory, if the file is below it. */
static const char *strip_working_directory(const char *path)
{
    char directory[LINE];
    if (!getcwd(directory, sizeof directory))
        return path;
    const size_t length = strlen(directory);
    return strncmp(path, directory, length) || path[length] != '/'
               ? path
               : path + length + 1;
}

void softgpu_format_line(char *text, size_t bytes, const char *path, int line,
                         const char *piped)
{
    text[0] = '\0';
    if (line == 0 || strstr(path, "/softgpu/include/"))
        return;
    const char *file = strip_working_directory(path);
    if (file[0] == '-') /* clang's name for code from a pipe */
        file = piped;
    snprintf(text, bytes, " at %s:%d", file, line);
}

void softgpu_format_location(char *text, size_t bytes, const void *address,
                             const char *piped)
{
    struct source_line location;
    text[0] = '\0';
    if (!address || softgpu_is_runtime_code(address))
        return;
    softgpu_source_line((uintptr_t)address, &location);
    softgpu_format_line(text, bytes, location.file, location.line, piped);
}

/* --- the report ---------------------------------------------------------- */

static void append(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* The report is cut at its fixed size, since it may be written after memory has
 * run out. */
static void append(const char *format, ...)
{
    const size_t used = strlen(last_report);
    va_list args;
    va_start(args, format);
    vsnprintf(last_report + used, sizeof last_report - used, format, args);
    va_end(args);
}

/* A return address points behind the call, the address of a fault at the
 * instruction itself. */
static void append_location(const struct run *run, const void *pc,
                            bool is_return_address)
{
    char location[LINE];
    const void *next = pc ? (const char *)pc + !is_return_address : NULL;
    softgpu_format_location(location, sizeof location, next,
                            run->grid->kernel->file);
    append("%s", location);
}

void softgpu_warn_at_call(const char *text)
{
    char location[LINE] = "";

    softgpu_format_location(location, sizeof location, softgpu_call_site, "");
    fprintf(stderr, "softgpu: %s%s\n", text, location);
}

/* How many threads wait at which line. */
static void append_wait_sites(const struct run *run)
{
    const struct fault *fault = &run->fault;

    for (uint32_t i = 0; i < fault->site_count; i++) {
        const struct wait_site *site = &fault->sites[i];
        append("%s%u thread%s wait%s", i ? ", " : "", site->threads,
               site->threads == 1 ? "" : "s", site->threads == 1 ? "s" : "");
        append_location(run, site->pc, true);
    }
}

/* For errors without a fault in the kernel. */
static const char *default_message(int error)
{
    return error == SOFTGPU_OUT_OF_MEMORY
               ? "no memory for the stacks and blocks of the grid"
               : "failed";
}

void (*softgpu_describe_address)(const void *address, char *text,
                                 size_t bytes);

/* Which memory is near an address that none has. */
static void append_neighbor(const struct fault *fault)
{
    char text[LINE] = "";
    if (fault->address && softgpu_describe_address)
        softgpu_describe_address(fault->address, text, sizeof text);
    append("%s%s", *text ? ", " : "", text);
}

void softgpu_report(const struct run *run, int error)
{
    const struct fault *fault = &run->fault;
    const dim3 g = run->grid->grid, b = run->grid->block;
    last_report[0] = '\0';
    if (fault->already_reported)
        return;
    append("softgpu: %s<<<(%u,%u,%u), (%u,%u,%u)>>>: ", run->grid->kernel->name,
           g.x, g.y, g.z, b.x, b.y, b.z);
    append("%s", fault->text[0] ? fault->text : default_message(error));
    append_neighbor(fault);
    append_wait_sites(run);
    if (fault->has_thread)
        append(" in block (%u,%u,%u) thread (%u,%u,%u)", fault->block.x,
               fault->block.y, fault->block.z, fault->thread.x, fault->thread.y,
               fault->thread.z);
    append_location(run, fault->pc, fault->is_return_address);
    fflush(stdout);
    fprintf(stderr, "%s\n", last_report);
}
