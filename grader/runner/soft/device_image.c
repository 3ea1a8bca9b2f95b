/* SPDX-License-Identifier: MIT */
/* The submission's part of the image in the device process.
 *
 * Kernels and device variables are registered by static initializers, which
 * run in the host process alone.  Its records are taken over where they can be
 * the compiler's: each lies in the submission's variables, and the functions
 * that a kernel is entered by lie in its device code.  softcc --graded puts
 * both in sections of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/softgpu/core/core.h"
#include "process.h"

enum { MAX_RECORDS = 4096, NAME_BYTES = 256, PAGE = 4096,
       MAX_PARAM_BYTES = 32764 /* of a kernel, as CUDA has it */ };

/* Bounds of the sections, set by the linker; NULL where there is none. */
#define SECTION(name)                                                         \
    extern char __start_##name[] __attribute__((weak));                       \
    extern char __stop_##name[] __attribute__((weak))
SECTION(warp_data);
SECTION(warp_bss);
SECTION(warp_host_text);
SECTION(warp_device_text);
/* The image, and the end of what is never written. */
extern char __executable_start[], __init_array_start[], _end[];

/* All bytes lie in the section, without overflow. */
static bool is_between(const void *p, size_t bytes, const char *from,
                       const char *to)
{
    const size_t at = (size_t)((const char *)p - from);

    return from && at < (size_t)(to - from)
           && bytes <= (size_t)(to - from) - at;
}

/* Records that were taken over: nothing may be written there any more. */
static struct {
    const char *at;
    size_t bytes;
} imported[3 * MAX_RECORDS];
static size_t imported_count;
static bool is_imported; /* all records were taken over */

/* Does a record that was taken over lie in these bytes? */
static bool has_record(const void *p, size_t bytes)
{
    const char *at = p;

    for (size_t i = 0; i < imported_count; i++)
        if (at < imported[i].at + imported[i].bytes
            && imported[i].at < at + bytes)
            return true;
    return false;
}

/* Bytes of the submission's variables, but of no record. */
static bool is_variable(const void *p, size_t bytes)
{
    return (is_between(p, bytes, __start_warp_data, __stop_warp_data)
            || is_between(p, bytes, __start_warp_bss, __stop_warp_bss))
           && !has_record(p, bytes);
}

bool is_program_data(const void *p, size_t bytes)
{
    return is_imported && is_variable(p, bytes);
}

/* Take over a record that does not overlap another one. */
static void import_record(const void *p, size_t bytes)
{
    if (imported_count == sizeof imported / sizeof *imported)
        abort(); /* no list is as long */
    imported[imported_count].at = p;
    imported[imported_count++].bytes = bytes;
}

/* Only code of this section runs in the device process. */
static bool is_device_code(const void *p)
{
    return is_between(p, 1, __start_warp_device_text,
                      __stop_warp_device_text);
}

/* A constant of the image: a literal, a table. */
static bool is_constant(const void *p, size_t bytes)
{
    return is_between(p, bytes, __executable_start, __init_array_start)
           || is_variable(p, bytes);
}

bool is_host_text(const void *p)
{
    return is_between(p, 1, __start_warp_host_text, __stop_warp_host_text);
}

void wipe_host_text(void)
{
#ifdef __x86_64__
    enum { TRAP = 0xcc };
#else
    enum { TRAP = 0 };
#endif
    const uintptr_t begin = (uintptr_t)__start_warp_host_text;
    const uintptr_t end = (uintptr_t)__stop_warp_host_text;
    char *first = (char *)(begin / PAGE * PAGE);
    const size_t bytes = end - (uintptr_t)first;

    if (begin == end) { /* every lab has a host function */
        fputs("warpbook: the submission was not compiled with --graded\n",
              stderr);
        _exit(EXIT_FAILURE);
    }
    if (mprotect(first, bytes, PROT_READ | PROT_WRITE)) /* no code of ours:
                                                            this page is not */
        _exit(EXIT_FAILURE);
    /* memset() of an instrumented program may have code in the first page */
    for (volatile char *at = (char *)begin; at < (char *)end; at++)
        *at = (char)TRAP;
    if (mprotect(first, bytes, PROT_READ | PROT_EXEC))
        _exit(EXIT_FAILURE);
}

/* A copy of a string of the host process. */
static const char *import_name(const char *host)
{
    char name[NAME_BYTES] = "";

    if (host)
        host_read_some(name, host, sizeof name - 1);
    return strdup(name);
}

/* A copy of the sizes of a kernel's parameters, which no device code can
 * change; NULL if they are none. */
static const uint32_t *import_params(const struct softgpu_kernel *k)
{
    const size_t bytes = (k->params + 1) * sizeof(uint32_t);
    uint32_t *own;
    size_t sum = 0;

    if (k->params >= NAME_BYTES || !is_constant(k->param_bytes, bytes))
        return NULL;
    own = malloc(bytes);
    if (!own)
        abort();
    memcpy(own, k->param_bytes, bytes);
    for (uint32_t i = 0; i < k->params; i++)
        sum += own[i];
    if (sum <= MAX_PARAM_BYTES)
        return own;
    free(own);
    return NULL;
}

/* A copy of their alignments, likewise. */
static const uint32_t *import_aligns(const struct softgpu_kernel *k)
{
    const size_t bytes = (k->params + 1) * sizeof(uint32_t);
    uint32_t *own;

    if (k->params >= NAME_BYTES || !is_constant(k->param_aligns, bytes))
        return NULL;
    own = malloc(bytes);
    if (!own)
        abort();
    memcpy(own, k->param_aligns, bytes);
    for (uint32_t i = 0; i < k->params; i++)
        if (!own[i] || own[i] > MAX_PARAM_BYTES)
            own[i] = 1;
    return own;
}

/* A record of a kernel comes from the host process, which is not trusted: each
 * pointer is checked. */
static bool is_kernel(const struct softgpu_kernel *k)
{
    return (!k->run || is_device_code((const void *)k->run))
           && is_device_code((const void *)k->run_thread)
           && is_device_code((const void *)k->call)
           && is_constant(k->file, 1);
}

/* Graded kernels do not run as gangs, whatever their record says. */
static void run_as_fibers(struct softgpu_kernel *kernel)
{
    kernel->run_gang = NULL;
    kernel->gang_threads = 0;
}

/* Register the kernels in the order in which the host process did. */
static void import_kernels(const struct softgpu_kernel *host, unsigned depth)
{
    struct softgpu_kernel record, *own = (void *)(uintptr_t)host;

    if (!host || depth == MAX_RECORDS || !is_variable(host, sizeof *host))
        return;
    host_read(&record, host, sizeof record);
    import_kernels(record.next, depth + 1);
    if (!is_kernel(&record) || !is_variable(own, sizeof *own))
        return;
    record.param_bytes = import_params(&record);
    record.param_aligns = import_aligns(&record);
    if (!record.param_bytes || !record.param_aligns)
        return;
    record.name = import_name(record.name);
    record.type_name = NULL;
    run_as_fibers(&record);
    record.static_shared = record.function_shared = 0;
    record.flags &= SOFTGPU_MAY_BLOCK | SOFTGPU_NEEDS_BUILTINS;
    *own = record;
    import_record(own, sizeof *own);
    softgpu_register_kernel(own);
}

/* Is this the record of a kernel that was taken over? */
static bool is_imported_kernel(const struct softgpu_kernel *kernel)
{
    const struct softgpu_kernel *k = softgpu_kernels();

    while (k && k != kernel)
        k = k->next;
    return k != NULL;
}

/* The host process has registered its variables; the records are read from its
 * memory. */
static void import_variables(void)
{
    const uint64_t count = shared->variable_count < MAX_RECORDS
                               ? shared->variable_count : 0;
    struct softgpu_shared_variable record, *host, *own;

    for (uint64_t i = 0; i < count; i++) {
        host_read(&host, (const char *)shared->variables + i * sizeof host,
                  sizeof host);
        if (!is_variable(host, sizeof *host))
            continue;
        host_read(&record, host, sizeof record);
        if (record.kernel && !is_imported_kernel(record.kernel))
            continue;
        own = host;
        own->kernel = record.kernel;
        own->bytes = record.bytes;
        own->align = record.align ? record.align : 1;
        own->name = NULL; /* device code sets it */
        import_record(own, sizeof *own);
        softgpu_register_shared(own);
    }
}

/* The list is in the order of registration, so its end is imported first; its
 * length is limited. */
static void import_symbols(const struct softgpu_symbol *host, unsigned depth)
{
    struct softgpu_symbol record, *own = (void *)(uintptr_t)host;

    if (!host || depth == MAX_RECORDS || !is_variable(host, sizeof *host))
        return;
    host_read(&record, host, sizeof record);
    import_symbols(record.next, depth + 1);
    if (record.kind > SOFTGPU_MANAGED_VARIABLE
        || !is_variable(own, sizeof *own)
        || !is_constant(record.address, record.bytes)
        || has_record(record.address, record.bytes))
        return;
    record.name = import_name(record.name);
    *own = record;
    import_record(own, sizeof *own);
    softgpu_register_symbol(own);
}

void import_image(void)
{
    import_kernels((const void *)shared->kernels, 0);
    import_variables();
    import_symbols((const void *)shared->symbols, 0);
    if (shared->symbols_incomplete)
        softgpu_symbols_incomplete();
    is_imported = true;
}

bool is_image_imported(void)
{
    return is_imported;
}
