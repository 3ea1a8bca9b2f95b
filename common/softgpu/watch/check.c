/* SPDX-License-Identifier: MIT */
/* The checker as a tool of instrument/: where its callbacks enter. */
#include "check.h"

#include <jansson.h>

#include "common/softgpu/core/fault.h"
#include "common/softgpu/core/fiber.h"
#include "common/softgpu/instrument/address_space.h"
#include "access_checks.h"
#include "allocations.h"
#include "async_copy_check.h"
#include "block_order.h"
#include "block_state.h"
#include "executions.h"
#include "happens_before.h"
#include "host_check.h"
#include "initcheck.h"
#include "interleave.h"
#include "late_value.h"
#include "library_check.h"
#include "nested_race.h"
#include "sampling.h"
#include "shadow_words.h"
#include "shared_shadow.h"
#include "stream_race.h"
#include "synccheck.h"
#include "torn_read.h"
#include "watchdog.h"

/* softcc makes the linker look for this name (-u). */
const char softgpu_with_check = 1;

/* Effects of an access besides its value: threads begin, wait, release. */
static void note_access(const struct access *a)
{
    struct softgpu_thread *thread = softgpu_tls.thread;

    if (!thread->site)
        watchdog_progress(); /* the thread's first access */
    thread->site = (const void *)a->pc;
    softgpu_announced_store = a->flags & ACCESS_WRITE ? thread->site : NULL;
    if (a->flags & ACCESS_RELEASE)
        hb_fence(a->block, FENCE_DEVICE | FENCE_RELEASE);
    if (a->flags & (ACCESS_ATOMIC | ACCESS_VOLATILE)) {
        watchdog_note_wait(a);
        block_order_flag(a);
        if (a->region != REGION_SHARED) {
            beside_synchronizes();
            hb_atomic_access(a);
        }
    } else if (a->flags & ACCESS_WRITE && a->region <= REGION_DEVICE) {
        watchdog_progress();
    }
}

/* An access that is not recorded yet. */
static __attribute__((noinline)) void
check_new_access(const volatile void *p, uint32_t bytes, uint32_t flags,
                 uintptr_t pc, struct allocation *memory)
{
    struct access a = {.address = (uintptr_t)p, .bytes = bytes,
                       .flags = flags, .pc = pc, .memory = memory,
                       .block = watch_current_block()};

    if (flags & ACCESS_LOAD_ONLY)
        a.flags &= ~(uint32_t)ACCESS_WRITE;
    if (flags & (ACCESS_ATOMIC | ACCESS_VOLATILE)) {
        a.flags |= torn_take_poll(a.block);
        softgpu_spin(); /* a loop that polls spends its time here, where no
                           signal preempts it */
    }
    watch_run_deferred();
    classify_address(&a);
    interleave_access(&a);
    watch_run_deferred(); /* of threads that ran meanwhile */
    if (shared_shadow.block != a.block)
        shared_shadow_bind(a.block);
    note_access(&a);
    watch_run_checks(&a);
}

/* Each thread reads the kernel's parameters, where nothing can be wrong; the
 * filter has the next ones.
 * @return 0: it is another access */
static inline int check_parameter(uintptr_t address, uint32_t flags,
                                  uintptr_t pc)
{
    struct softgpu_thread *thread = softgpu_tls.thread;
    const struct softgpu_grid *grid = softgpu_tls.block->worker->run->grid;

    if (flags || watch_has_deferred
        || !is_kernel_parameter(softgpu_tls.block, address))
        return 0;
    parameter_filter = (struct parameter_filter){(uintptr_t)grid->closure,
                                                 grid->closure_bytes};
    if (!thread->site)
        watchdog_progress();
    thread->site = (const void *)pc;
    return 1;
}

/* Of a block that is not sampled a plain access of whole words inside an
 * allocation is checked here: nothing records it.  @return 0: check it in
 * full */
static inline int check_unsampled(const struct watch_block *w,
                                  const volatile void *p, uint32_t bytes,
                                  uint32_t flags, uintptr_t pc,
                                  const struct allocation *memory)
{
    if (w->sampled || watch_has_deferred || bytes < 4
        || flags & ~(uint32_t)ACCESS_WRITE || (uintptr_t)p & (bytes - 1)
        || !memory->init_mask || memory->base & 3
        || !initcheck_words(memory, p, bytes, flags & ACCESS_WRITE))
        return 0;
    if (flags)
        watchdog_progress();
    softgpu_tls.thread->site = (const void *)pc;
    return 1;
}

/* An access inside an allocation that needs no check, or only a short one.
 * @return 0: check it in full */
static inline int check_recorded(const volatile void *p, uint32_t bytes,
                                 uint32_t flags, uintptr_t pc,
                                 const struct allocation *memory)
{
    if ((uintptr_t)p + bytes > memory->end || interleave_is_on())
        return 0;
    return check_unsampled(watch_current_block(), p, bytes, flags, pc, memory)
           || (!flags && global_read_is_recorded(memory, p, bytes, pc));
}

/* One pass: find the allocation, look whether the access is recorded, classify
 * the address, check the access.  Each step uses what the one before found. */
static void check_access(const volatile void *p, uint32_t bytes,
                         uint32_t flags, uintptr_t pc, uintptr_t frame)
{
    struct allocation *memory;

    (void)frame;
    if (!softgpu_tls.block) {
        check_host_access(p, bytes, flags, pc);
        return;
    }
    memory = allocation_recent((uintptr_t)p, pc);
    if (memory ? check_recorded(p, bytes, flags, pc, memory)
               : check_parameter((uintptr_t)p, flags, pc))
        return;
    check_new_access(p, bytes, flags, pc, memory);
}

void check_range(const volatile void *p, size_t bytes, uint32_t flags,
                 uintptr_t pc)
{
    const volatile char *at = p;

    while (bytes) {
        size_t part = 16 - ((uintptr_t)at & 15);

        part = part < bytes ? part : bytes;
        check_access(at, (uint32_t)part, flags | ACCESS_RANGE, pc, 0);
        at += part;
        bytes -= part;
    }
}

/* Headers read memory of the runtime. */
void check_library_access(const volatile void *p, size_t bytes, uint32_t flags,
                          uintptr_t pc)
{
    if ((softgpu_tls.block && (flags & ACCESS_WRITE || softgpu_is_shared(p)))
        || is_device_address((uintptr_t)p))
        check_range(p, bytes, flags, pc);
}

static void on_range(const volatile void *p, size_t bytes, uint32_t flags,
                     uintptr_t pc, uintptr_t frame)
{
    (void)frame;
    if (flags & ACCESS_LIBRARY)
        check_library_access(p, bytes, flags & ~(uint32_t)ACCESS_LIBRARY, pc);
    else
        check_range(p, bytes, flags, pc);
}

static void on_fence(uint32_t flags)
{
    if (!watch_current_block())
        return;
    watch_run_deferred(); /* the fence is after the thread's last load */
    hb_fence(watch_current_block(), flags);
}

/* -fsanitize=bounds: an index outside an array whose size the compiler knows,
 * in shared, local or constant memory, or in the next row of a tile.  A runtime
 * that is itself built with sanitizers leaves the name to them: else the
 * linker would put the watchers into every program. */
#ifndef SOFTGPU_ASAN
void __ubsan_handle_out_of_bounds(void *data, uintptr_t index)
{
    struct access access = {.pc = (uintptr_t)__builtin_return_address(0),
                            .block = watch_current_block()};
    struct softgpu_finding finding = {.kind = SOFTGPU_FIND_OUT_OF_BOUNDS,
                                      .pc = access.pc};

    (void)data;
    if (access.block)
        finding = watch_make_finding(&access, SOFTGPU_FIND_OUT_OF_BOUNDS);
    softgpu_report_finding(&finding, "index %td is outside the array",
                           (ptrdiff_t)index);
}

/* -fsanitize=unreachable is there for the ends of functions (command.c); what
 * the program itself calls unreachable ends as without the checks. */
void __ubsan_handle_builtin_unreachable(void *data)
{
    (void)data;
    __builtin_trap();
}
#endif

static void grid_begin(const struct run *run)
{
    hb_begin_grid(run);
    nested_race_begin_grid(run);
    stream_race_begin_grid(run, 0);
    sampling_begin_grid(run);
    interleave_begin_grid();
    watchdog_begin_grid(run);
    executions_begin_grid(run);
}

static void grid_end(const struct run *run, int error)
{
    watchdog_end_grid();
    watch_run_deferred();
    stream_race_end_grid();
    nested_race_end_grid();
    late_value_end_grid();
    hb_end_grid(run);
    if (error)
        synccheck_kernel_failed(run, &run->fault, error);
}

/* A block of a grid that goes on. */
static void resume_block(struct softgpu_block *b)
{
    hb_resume_block(b->watch);
}

/* This OS thread runs other threads, or none, for a while. */
static void worker_stops(void)
{
    shared_shadow_disable();
    parameter_filter_disable();
    watch_run_deferred();
}

/* Grids run while a thread of this one waits.  For the checks it is two grids,
 * one before them and one after. */
static void grid_waits(const struct run *run, int waits)
{
    worker_stops();
    if (waits) {
        watchdog_end_grid();
        stream_race_end_grid();
        hb_end_grid(run);
        return;
    }
    hb_begin_grid(run);
    stream_race_begin_grid(run, 1);
    sampling_resume_grid(run);
    watchdog_begin_grid(run);
    softgpu_visit_blocks(run, resume_block);
}

/* The same of a grid that has passed the turn. */
static void grid_passes(const struct run *run, int passes)
{
    nested_race_pass(run, passes);
    grid_waits(run, passes);
    beside_grid_passes(passes);
}

static void memory(const struct softgpu_allocation *a, int alive)
{
    uintptr_t site = (uintptr_t)softgpu_call_site;

    if (alive)
        allocation_add(a, site);
    else
        allocation_mark_freed(a, site);
    if (!alive)
        stream_race_forget(a->ptr, a->bytes);
}

/* Bytes were copied or, without src, filled. */
static void copied(void *dst, const void *src, size_t bytes)
{
    stream_race_copied(dst, src, bytes);
    initcheck_copied(dst, src, bytes);
}

/* The barrier's own accesses are not instrumented; it must lie in memory that
 * the program may write.  A numbered one is the runtime's. */
static void check_barrier(const volatile void *object)
{
    const struct softgpu_block *block = softgpu_tls.block;
    struct access a = {.address = (uintptr_t)object, .flags = ACCESS_WRITE,
                       .bytes = sizeof(uint64_t), .block = block->watch,
                       .pc = (uintptr_t)softgpu_tls.thread->site};

    if (a.address - (uintptr_t)block->numbered < sizeof block->numbered)
        return;
    classify_address(&a);
    watch_check_bounds(&a);
}

static void ordered(unsigned how, const volatile void *object, uint64_t phase)
{
    if (!watch_current_block())
        return;
    watch_run_deferred();
    check_barrier(object);
    hb_cuda_barrier(how, object, phase);
}

static const struct softgpu_hooks hooks = {
    .grid_begin = grid_begin,
    .grid_waits = grid_waits,
    .grid_passes = grid_passes,
    .worker_stops = worker_stops,
    .kernel_launches = nested_race_launches,
    .warp_call = synccheck_warp_call,
    .kernel_end = synccheck_kernel_end,
    .fill_requested = host_check_memset,
    .async_copy_issued = check_issued_copy,
    .async_copy_completed = check_completed_copy,
    .ordered = ordered,
    .grid_end = grid_end,
    .block_begin = watch_block_begin,
    .block_end = watch_block_end,
    .barrier = synccheck_barrier,
    .grid_barrier = synccheck_grid_barrier,
    .memory = memory,
    .library_array = library_array,
    .copied = copied,
    .refused = host_check_refused,
    .launch_failed = host_launch_failed,
    .error_read = host_error_read,
};

static int print(void)
{
    host_at_exit();
    fflush(NULL);
    softgpu_print_findings(stderr);
    sampling_print(stderr);
    return softgpu_count_findings() != 0;
}

static void add_json(struct json_t *report)
{
    json_object_set_new(report, "findings", softgpu_findings_json());
    json_object_set_new(report, "sampled", sampling_json());
    json_object_set_new(report, "interleavable",
                        json_boolean(interleave_is_useful()));
}

static struct softgpu_tool checker = {
    .hooks = &hooks,
    .access = check_access,
    .range = on_range,
    .fence = on_fence,
    .polls = torn_begin_poll,
    .basic_block = executions_count,
    .print = print,
    .add_json = add_json,
};

/* Before the profiler and the program's own constructors. */
__attribute__((constructor(101))) static void register_checker(void)
{
    interleave_init();
    executions_init();
    softgpu_register_tool(&checker);
    host_check_init(); /* exit handlers run in reverse order */
}
