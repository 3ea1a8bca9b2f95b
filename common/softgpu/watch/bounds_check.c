/* SPDX-License-Identifier: MIT */
/* Bounds check: is there memory of the program at the address of an access,
 * and is the address aligned? */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/softgpu/core/shared_memory.h"
#include "common/softgpu/host/memory.h"
#include "common/softgpu/host/remote.h"
#include "access_checks.h"
#include "allocations.h"
#include "symbol_check.h"

enum { ILLEGAL_ADDRESS = 700 }; /* cudaErrorIllegalAddress */

/* In the device process of a grade a store to memory that is neither the
 * device's nor the program's could change what was counted and reported, as
 * this store is: the kernel ends before it. */
static void end_before_store(const struct access *a)
{
    if (softgpu_remote && a->flags & ACCESS_WRITE
        && !is_device_address(a->address)
        && !softgpu_remote->is_program_data((const void *)a->address,
                                            a->bytes))
        softgpu_fail(ILLEGAL_ADDRESS, "a store to memory that is no memory of "
                     "the device");
}

/* Text: how far an address is from an allocation. */
static void format_distance(char *text, size_t size, const struct access *a,
                            const struct allocation *w)
{
    const size_t bytes = w->end - w->base;
    const size_t past = a->address - w->end, before = w->base - a->address;
    const char *const s = bytes == 1 ? "" : "s";

    if (a->address >= w->end)
        snprintf(text, size, "%zu byte%s past the end of %zu byte%s", past,
                 past == 1 ? "" : "s", bytes, s);
    else if (a->address < w->base)
        snprintf(text, size, "%zu byte%s before the start of %zu byte%s",
                 before, before == 1 ? "" : "s", bytes, s);
    else
        snprintf(text, size, "crosses the end of %zu byte%s", bytes, s);
}

static void report_freed(const struct access *a, const struct allocation *w)
{
    struct softgpu_finding finding =
        watch_make_finding(a, SOFTGPU_FIND_USE_AFTER_FREE);

    finding.other = w->freed_at;
    softgpu_report_finding(&finding, "%s of freed memory",
                           watch_access_text(a));
}

static void report_out_of_bounds(const struct access *a,
                                 const struct allocation *nearest)
{
    struct softgpu_finding finding =
        watch_make_finding(a, SOFTGPU_FIND_OUT_OF_BOUNDS);
    char distance[96];

    format_distance(distance, sizeof distance, a, nearest);
    finding.other = nearest->allocated_at;
    softgpu_report_finding(&finding, "%s, %s allocated", watch_access_text(a),
                           distance);
}

/* The array whose index may have been an unsigned value k below 0: 2^32 - k
 * elements of 1 to 16 bytes before the address lies k elements before it.
 * First that many of the access itself: a float4 of an array of floats. */
static const struct allocation *find_wrapped_index(const struct access *a,
                                                   size_t *index)
{
    const struct allocation *m = NULL;

    for (unsigned i = 0; i < 6 && !m; i++) {
        const size_t bytes = i ? 1u << (i - 1) : a->bytes;
        const uintptr_t wrapped = (uintptr_t)bytes << 32;
        const uintptr_t before = a->address - wrapped;

        if (wrapped >= a->address)
            continue;
        m = allocation_above(before);
        if (m && (m->base - before) % bytes == 0)
            *index = (wrapped - (m->base - before)) / bytes;
        else
            m = NULL;
    }
    return m;
}

/* Report an access that is near no allocation. */
static void report_far(const struct access *a)
{
    struct softgpu_finding finding =
        watch_make_finding(a, SOFTGPU_FIND_OUT_OF_BOUNDS);
    size_t index = 0;
    const struct allocation *m = find_wrapped_index(a, &index);

    if (!m) {
        softgpu_report_finding(&finding, "%s far from any allocation",
                               watch_access_text(a));
        return;
    }
    finding.other = m->allocated_at;
    softgpu_report_finding(
        &finding, "%s far from any allocation: index %zu of an array of %zu "
        "bytes, an unsigned value that went below 0",
        watch_access_text(a), index, m->end - m->base);
}

/* Report an access past the end of the block's shared memory, or before its
 * start. */
static int report_beside_shared(const struct access *a)
{
    const long offset = softgpu_shared_out_of_bounds(a->block->block,
                                                     (const void *)a->address);
    struct softgpu_finding finding;

    if (!offset)
        return 0;
    finding = watch_make_finding(a, SOFTGPU_FIND_OUT_OF_BOUNDS);
    softgpu_report_finding(&finding, "%s %s the block's shared memory",
                           watch_access_text(a),
                           offset > 0 ? "past the end of"
                                      : "before the start of");
    return 1;
}

/* Is no page mapped in the program's host process?  So it is for a wild index
 * or an uninitialized pointer. */
static int is_unmapped(uintptr_t address)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;

    if (softgpu_remote)
        return !softgpu_remote->is_host_memory((const void *)address);
    return mincore((void *)(address / page * page), 1, &resident) != 0
           && errno == ENOMEM;
}

/* The array that the access has left: the nearest one, but for one that cannot
 * have elements of this size where the next one above can: an index below 0. */
static const struct allocation *array_left_by(const struct access *a)
{
    const struct allocation *nearest = allocation_nearest(a->address);
    const struct allocation *above = allocation_above(a->address);

    return nearest && above && (nearest->end - nearest->base) % a->bytes
                   && (above->end - above->base) % a->bytes == 0
               ? above
               : nearest;
}

/* Report an access where no allocation is. */
static int report_no_allocation(const struct access *a)
{
    if (report_beside_shared(a))
        return 1;

    struct allocation *freed = allocation_find(a->address, 1);
    const struct allocation *nearest = freed ? NULL : array_left_by(a);
    struct softgpu_finding finding;

    if (softgpu_find_allocation((const void *)a->address))
        return 1; /* host memory after cudaHostRegister */
    if (freed) {
        report_freed(a, freed);
    } else if (nearest) {
        report_out_of_bounds(a, nearest);
    } else if (a->address < 65536) {
        finding = watch_make_finding(a, SOFTGPU_FIND_NULL_POINTER);
        softgpu_report_finding(&finding, "%s at address %#zx",
                               watch_access_text(a), (size_t)a->address);
    } else if (is_device_address(a->address) || is_unmapped(a->address)) {
        report_far(a);
    } else {
        finding = watch_make_finding(a, SOFTGPU_FIND_HOST_POINTER);
        softgpu_report_finding(&finding, "%s through a pointer to host memory",
                               watch_access_text(a));
    }
    end_before_store(a);
    return 1;
}

/* A struct that is copied as a whole is no single access. */
static int is_misaligned(const struct access *a)
{
    return !(a->flags & ACCESS_RANGE) && a->address % a->bytes;
}

/* The pointer into this allocation that the kernel got, as an argument or a
 * member of one; 0: none, or several. */
static uintptr_t pointer_of_kernel(const struct access *a,
                                   const struct allocation *memory)
{
    const struct softgpu_grid *grid = a->block->block->worker->run->grid;
    uintptr_t found = 0, value;

    for (size_t at = 0; grid->closure && at + sizeof value
                                             <= grid->closure_bytes;
         at += sizeof value) {
        memcpy(&value, (const char *)grid->closure + at, sizeof value);
        if (value < memory->base || value >= memory->end)
            continue;
        if (found)
            return 0;
        found = value;
    }
    return found;
}

/* Text: which part of a misaligned address is the pointer's, and which that of
 * the index; empty if the kernel's pointer is not known, or not before it. */
static void format_index(char *text, size_t size, const struct access *a,
                         const struct allocation *memory)
{
    const uintptr_t pointer = pointer_of_kernel(a, memory);
    const unsigned past = (unsigned)(pointer % a->bytes);
    const unsigned skipped = (unsigned)((a->address - pointer) % a->bytes);

    *text = 0;
    if (!pointer || pointer > a->address)
        return;
    if (!past)
        snprintf(text, size, ". The kernel's pointer is such a multiple, so it "
                 "is the index, as by the length of a row, that is none");
    else if (skipped)
        snprintf(text, size, ". The kernel's pointer is %u past one: the next "
                 "multiple comes after %u bytes, not after %u", past,
                 a->bytes - past, skipped);
}

static int report_misaligned(const struct access *a)
{
    const unsigned past = (unsigned)(a->address % a->bytes);
    struct softgpu_finding finding =
        watch_make_finding(a, SOFTGPU_FIND_MISALIGNED);
    const struct allocation *memory = allocation_find(a->address, 0);
    char place[64] = "", index[128] = "";

    if (memory) { /* which starts at a multiple of 256 */
        snprintf(place, sizeof place, ": at byte %zu of its allocation of %zu",
                 (size_t)(a->address - memory->base),
                 (size_t)(memory->end - memory->base));
        finding.other = memory->allocated_at;
        format_index(index, sizeof index, a, memory);
    }
    softgpu_report_finding(
        &finding,
        "%s at an address that is %u byte%s past a multiple of %u%s%s",
        watch_access_text(a), past, past == 1 ? "" : "s", a->bytes, place,
        index);
    return 1;
}

/* Shared memory holds the kernel's variables, then dynamic memory, then the
 * variables of device functions.  The gaps between belong to no variable. */
static int check_shared_bounds(const struct access *a)
{
    const struct run *run = a->block->block->worker->run;
    const uint32_t at = (uint32_t)(a->address - (uintptr_t)softgpu_tls.shared);
    const uint32_t end = at + a->bytes;
    const uint32_t static_bytes = run->grid->kernel->static_shared;
    const uint32_t dynamic_bytes = run->grid->dynamic_bytes;
    struct softgpu_finding finding;

    if (end <= static_bytes
        || (at >= run->dynamic_offset
            && end - run->dynamic_offset <= dynamic_bytes)
        || at >= run->functions_offset)
        return 0;
    finding = watch_make_finding(a, SOFTGPU_FIND_OUT_OF_BOUNDS);
    if (at >= run->dynamic_offset && !dynamic_bytes)
        softgpu_report_finding(
            &finding, "%s outside shared memory: %u bytes are declared, and "
            "the launch gives no dynamic ones (its third parameter)",
            watch_access_text(a), static_bytes);
    else if (at >= run->dynamic_offset)
        softgpu_report_finding(
            &finding, "%s at byte %u of dynamic shared memory, of which the "
            "launch gives %u bytes (its third parameter)",
            watch_access_text(a), at - run->dynamic_offset, dynamic_bytes);
    else
        softgpu_report_finding(
            &finding, "%s outside the declared bytes of shared memory: %u of "
            "%u", watch_access_text(a), at, static_bytes);
    return 1;
}

/* What headers store there: the index of the thread, and a counter. */
static int is_stored_by_headers(uintptr_t address)
{
    return address == (uintptr_t)&softgpu_tls.spin
           || address - (uintptr_t)&threadIdx < sizeof threadIdx;
}

/* A store to memory that is the runtime's own: its thread-local variables and
 * the parameters, or static data where the program's is known to be elsewhere
 * (in the device process of a grade).
 *  @return 1 if it was reported */
static int report_runtime_store(const struct access *a)
{
    struct softgpu_finding finding;

    if (!(a->flags & ACCESS_WRITE))
        return 0;
    if (a->region == REGION_RUNTIME
            ? is_stored_by_headers(a->address)
            : !softgpu_remote
                  || softgpu_remote->is_program_data((const void *)a->address,
                                                     a->bytes))
        return 0;
    finding = watch_make_finding(a, SOFTGPU_FIND_HOST_POINTER);
    softgpu_report_finding(&finding, "%s of memory of the runtime",
                           watch_access_text(a));
    return 1;
}

int watch_check_bounds(struct access *a)
{
    if (a->region == REGION_LOCAL)
        return 1; /* the thread's own: no other thread accesses it */
    if (a->region == REGION_RUNTIME) {
        if (report_runtime_store(a))
            end_before_store(a);
        return 1;
    }
    if (is_misaligned(a) && (a->region == REGION_PROGRAM || a->memory))
        return report_misaligned(a); /* as on a card, whatever it crosses */
    if (a->region == REGION_PROGRAM
        && (symbol_check(a) || report_runtime_store(a))) {
        end_before_store(a);
        return 1;
    }
    if (a->region == REGION_NONE)
        return report_no_allocation(a);
    if (a->region == REGION_SHARED && check_shared_bounds(a))
        return 1;
    if (a->memory && a->address + a->bytes > a->memory->end) {
        report_out_of_bounds(a, a->memory);
        end_before_store(a);
        return 1;
    }
    if (is_misaligned(a))
        return report_misaligned(a);
    return a->region == REGION_PROGRAM && !a->memory; /* a constant */
}
