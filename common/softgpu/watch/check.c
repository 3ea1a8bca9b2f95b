/* SPDX-License-Identifier: MIT */
/* The checks come in: finds who accesses what, then shows it to the watchers;
 * and what the runtime tells goes to the one it concerns. */
#include "findings.h"
#include "grid.h"
#include "host.h"
#include "library.h"
#include "modes.h"
#include "order.h"
#include "place.h"
#include "progress.h"
#include "race.h"
#include "sample.h"
#include "watchers.h"
#include "words.h"

/* The linker is asked for this name. */
const char softgpu_with_check = 1;

static __attribute__((noinline)) void
check_in_kernel(const volatile void *p, uint32_t bytes, uint32_t flags,
                uintptr_t code)
{
    struct access access = {.address = (uintptr_t)p, .bytes = bytes,
                            .flags = flags, .code = code,
                            .block = watch_here()};

    if (flags & (ACCESS_ATOMIC | ACCESS_VOLATILE))
        softgpu_spin(); /* a loop on it spends its time here, where no signal
                           stops it; before the access is noted */
    watch_settle();
    if (words_fast.block != access.block)
        words_follow(access.block);
    watch_place(&access);
    if (!softgpu_tls.thread->site)
        progress_made(); /* one more thread has begun */
    softgpu_tls.thread->site = (const void *)code;
    if (flags & ACCESS_RELEASE)
        order_fence(access.block);
    if (flags & (ACCESS_ATOMIC | ACCESS_VOLATILE)) {
        progress_waits(&access);
        if (access.region != REGION_SHARED)
            order_touch(access.block, access.address, flags & ACCESS_WRITE);
    } else if (flags & ACCESS_WRITE && access.region <= REGION_DEVICE) {
        progress_made();
    }
    watch_show(&access);
}

void check_access(const volatile void *p, uint32_t bytes, uint32_t flags,
                  uintptr_t code)
{
    if (!softgpu_tls.block) {
        host_access(p, bytes, flags, code);
        return;
    }
    if (!flags && place_nothing_new(p, bytes, code))
        return;
    check_in_kernel(p, bytes, flags, code);
}

void check_range(const volatile void *p, size_t bytes, uint32_t flags,
                 uintptr_t code)
{
    const volatile char *at = p;

    while (bytes) {
        size_t part = 16 - ((uintptr_t)at & 15);

        part = part < bytes ? part : bytes;
        check_access(at, (uint32_t)part, flags | ACCESS_RANGE, code);
        at += part;
        bytes -= part;
    }
}

void check_fence(void)
{
    if (watch_here())
        order_fence(watch_here());
}

/* -fsanitize=bounds: an index outside an array whose size the compiler knows,
 * in shared, local or constant memory, or in the next row of a tile. */
void __ubsan_handle_out_of_bounds(void *data, uintptr_t index)
{
    struct access access = {.code = (uintptr_t)__builtin_return_address(0),
                            .block = watch_here()};
    struct softgpu_sighting seen = {.kind = SOFTGPU_FIND_OUT_OF_BOUNDS,
                                    .code = access.code};

    (void)data;
    if (access.block)
        seen = watch_sighting(&access, SOFTGPU_FIND_OUT_OF_BOUNDS);
    softgpu_find(&seen, "index %td is outside the array", (ptrdiff_t)index);
}

static void grid_begin(const struct run *run)
{
    order_begin_grid(run);
    sample_begin_grid(run);
    progress_begin_grid(run);
}

static void grid_end(const struct run *run, int error)
{
    progress_end_grid();
    watch_settle();
    order_end_grid(run);
    if (error)
        sync_failed(run, &run->fault, error);
}

static void memory(const struct softgpu_allocation *a, int alive)
{
    uintptr_t site = (uintptr_t)softgpu_call_site;

    if (alive)
        place_allocated(a, site);
    else
        place_freed(a, site);
}

/* A copy that lands: its issuer reads and writes now. */
static void async_landed(void *dst, const void *src, size_t bytes,
                         const void *site)
{
    if (src)
        check_range(src, bytes, 0, (uintptr_t)site);
    if (dst)
        check_range(dst, bytes, ACCESS_WRITE, (uintptr_t)site);
}

const struct softgpu_hooks check_hooks = {
    .grid_begin = grid_begin,
    .warp_call = sync_warp_call,
    .fill_asked = host_fill,
    .async_landed = async_landed,
    .ordered = order_by_object,
    .grid_end = grid_end,
    .block_begin = grid_block_begin,
    .block_end = grid_block_end,
    .barrier = sync_barrier,
    .memory = memory,
    .library_array = library_array,
    .copied = place_copied,
    .refused = host_refused,
    .launch_failed = host_launch_failed,
    .error_read = host_error_read,
};

int check_tell(void)
{
    host_at_exit();
    fflush(NULL);
    softgpu_findings_text(stderr);
    sample_text(stderr);
    return softgpu_finding_groups() != 0;
}

struct json_t *check_json(void)
{
    return softgpu_findings_json();
}
