/* SPDX-License-Identifier: MIT */
/** @file
 *  Functions that the code of a module calls.  Only the program has the
 *  runtime; its file exports these functions (softcc's linker option), and
 *  module.c, which uses this list, makes the linker put them there.
 */
#include "common/softgpu/host/call.h"
#include "driver.h"
#include "softgpu/async_copy.h"
#include "softgpu/mbarrier.h"
#include "softgpu/texture_abi.h"
#include "softgpu/xorwow.h"

/** The functions that the headers of device code call. */
void (*const softgpu_module_imports[])(void) = {
#define IMPORT(name) (void (*)(void))name
    IMPORT(cudaGraphSetConditional),
    IMPORT(softgpu_active_mask),
    IMPORT(softgpu_announce_waits),
    IMPORT(softgpu_barrier),
    IMPORT(softgpu_barrier_vote),
    IMPORT(softgpu_begin_host_algorithm),
    IMPORT(softgpu_call_async),
    IMPORT(softgpu_clock),
    IMPORT(softgpu_copy_async),
    IMPORT(softgpu_copy_commit),
    IMPORT(softgpu_copy_complete),
    IMPORT(softgpu_copy_post),
    IMPORT(softgpu_copy_wait),
    IMPORT(softgpu_fail),
    IMPORT(softgpu_gang_vote),
    IMPORT(softgpu_globaltimer),
    IMPORT(softgpu_grid_barrier),
    IMPORT(softgpu_is_cooperative),
    IMPORT(softgpu_kernel_end),
    IMPORT(softgpu_launch),
    IMPORT(softgpu_lockstep),
    IMPORT(softgpu_mbarrier_arrive),
    IMPORT(softgpu_mbarrier_init),
    IMPORT(softgpu_mbarrier_test_wait),
    IMPORT(softgpu_move_swizzled),
    IMPORT(softgpu_note_gang),
    IMPORT(softgpu_note_lockstep),
    IMPORT(softgpu_numbered_barrier),
    IMPORT(softgpu_ordered),
    IMPORT(softgpu_push_config),
    IMPORT(softgpu_record_error),
    IMPORT(softgpu_register_kernel),
    IMPORT(softgpu_register_shared),
    IMPORT(softgpu_register_symbol),
    IMPORT(softgpu_require_zero),
    IMPORT(softgpu_surface_read),
    IMPORT(softgpu_surface_write),
    IMPORT(softgpu_symbols_incomplete),
    IMPORT(softgpu_texture_bound),
    IMPORT(softgpu_texture_element),
    IMPORT(softgpu_texture_gather),
    IMPORT(softgpu_texture_sample),
    IMPORT(softgpu_thread_exit),
    IMPORT(softgpu_warp_combine),
    IMPORT(softgpu_warp_gather),
    IMPORT(softgpu_warp_sync),
    IMPORT(softgpu_warp_vote),
    IMPORT(softgpu_xorwow_jump),
    IMPORT(softgpu_yield),
#undef IMPORT
};
