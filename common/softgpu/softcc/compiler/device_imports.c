/* SPDX-License-Identifier: MIT */
/* The symbols of other objects that device code may use: the device part of
 * the runtime's ABI (softgpu/abi.h), what the instrumentation calls, the
 * functions of the C library that CUDA has in device code, too, and those of
 * the compiler. */
#include <stdbool.h>
#include <string.h>

#include "common/softgpu/core/math_names.h"
#include "split_object.h"

/* Separated by spaces; a '*' at the end stands for any rest. */
static const char runtime[] =
    " softgpu_tls threadIdx blockIdx blockDim gridDim softgpu_active_mask"
    " softgpu_async_* softgpu_barrier softgpu_barrier_vote softgpu_call_async"
    " softgpu_clock softgpu_copy_async softgpu_copy_commit"
    " softgpu_copy_complete softgpu_copy_discard softgpu_copy_parameters"
    " softgpu_copy_post softgpu_copy_wait softgpu_fail softgpu_globaltimer"
    " softgpu_grid_barrier softgpu_instrumented_* softgpu_kernel_*"
    " softgpu_is_cooperative softgpu_launch softgpu_lockstep softgpu_mbarrier_*"
    " softgpu_move_swizzled softgpu_note_poll softgpu_numbered_barrier"
    " softgpu_ordered softgpu_record_error softgpu_shared_address"
    " softgpu_sync_warps softgpu_thread_exit softgpu_uninstrumented_*"
    " softgpu_surface_* softgpu_texture_* softgpu_warp_* softgpu_xorwow_*"
    " softgpu_yield cudaGraphSetConditional __tsan_*"
    " __sanitizer_cov_* __ubsan_handle_* ";

static const char library[] =
    " memcpy memmove memset memcmp strlen strcmp strncmp printf"
    " vprintf puts putchar malloc free abort __assert_fail __stack_chk_fail"
    " __cxa_guard_acquire __cxa_guard_release __cxa_guard_abort"
    " __cxa_pure_virtual __cxa_throw_bad_array_new_length _Unwind_Resume"
    " __gxx_personality_v0 __clang_call_terminate _Znwm _Znam _ZdlPv"
    " __x86_indirect_thunk_* _ZSt9terminatev _ZSt7nothrow"
    " _ZSt16__throw_bad_castv _ZSt17__throw_bad_allocv"
    " _ZSt19__throw_logic_errorPKc _ZSt20__throw_length_errorPKc"
    " _ZSt20__throw_out_of_rangePKc _ZSt24__throw_out_of_range_fmtPKcz"
    " _ZSt21__throw_runtime_errorPKc _ZSt24__throw_invalid_argumentPKc"
    " _ZSt25__throw_bad_function_callv"
    " _ZSt28__throw_bad_array_new_lengthv _ZSt21__glibcxx_assert_fail*"
    " _ZdlPvm _ZdaPv _ZdaPvm _ZTVN10__cxxabiv1* _GLOBAL_OFFSET_TABLE_"
    " __tls_get_addr clock clock64 ";

/* Arithmetic for which the processor has no instruction: of half, __int128 and
 * complex numbers, and integer powers.  The compiler calls it where the source
 * has an operator.  expl() is a part of cyl_bessel_i0(). */
static const char arithmetic[] =
    " __eqhf2 __nehf2 __extendhfdf2 __extendhfxf2 __truncdfhf2 __truncxfhf2"
    " __fixhfti __fixunshfti __floattihf __floatuntihf"
    " __divti3 __modti3 __udivti3 __umodti3 __floattisf __floattidf"
    " __floatuntisf __floatuntidf __fixsfti __fixdfti __fixunssfti"
    " __fixunsdfti __powisf2 __powidf2 __mulsc3 __divsc3 __muldc3 __divdc3"
    " expl ";

/* Of <math.h>, those that store through a pointer: checked by interceptors
 * (watch/interceptors.c). */
static const char storing[] = " frexp modf remquo sincos ";

static bool is_listed(const char *list, const char *name, size_t length)
{
    for (const char *at = list + 1; *at; at += strcspn(at, " ") + 1) {
        const size_t n = strcspn(at, " ");

        if (at[n - 1] == '*' ? length >= n - 1 && !memcmp(at, name, n - 1)
                             : length == n && !memcmp(at, name, n))
            return true;
    }
    return false;
}

static bool is_math(const char *name, size_t length)
{
    return is_listed(MATH_NAMES, name, length)
           || is_listed(storing, name, length);
}

int is_device_import(const char *name)
{
    const size_t length = strlen(name);

    return is_listed(runtime, name, length)
           || is_listed(library, name, length)
           || is_listed(arithmetic, name, length)
           || is_math(name, length)
           || (length > 1 && name[length - 1] == 'f'
               && is_math(name, length - 1));
}
