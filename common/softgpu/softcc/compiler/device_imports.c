/* SPDX-License-Identifier: MIT */
/* The symbols of other objects that device code may use: the device part of
 * the runtime's ABI (softgpu/abi.h), what the instrumentation calls, and the
 * functions of the C library that CUDA has in device code, too. */
#include <stdbool.h>
#include <string.h>

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
    " softgpu_move_swizzled softgpu_numbered_barrier softgpu_ordered"
    " softgpu_shared_address"
    " softgpu_sync_warps softgpu_thread_exit softgpu_uninstrumented_*"
    " softgpu_surface_* softgpu_texture_* softgpu_warp_* softgpu_xorwow_*"
    " softgpu_yield cudaGraphSetConditional __tsan_*"
    " __sanitizer_cov_* __ubsan_handle_* ";

static const char library[] =
    " memcpy memmove memset memcmp strlen strcmp strncmp printf"
    " vprintf puts putchar malloc free abort __assert_fail __stack_chk_fail"
    " __cxa_guard_acquire __cxa_guard_release __cxa_guard_abort"
    " __cxa_pure_virtual __cxa_throw_bad_array_new_length _Unwind_Resume"
    " __gxx_personality_v0 __clang_call_terminate _ZSt* _Znwm _Znam _ZdlPv"
    " _ZdlPvm _ZdaPv _ZdaPvm _ZTVN10__cxxabiv1* _GLOBAL_OFFSET_TABLE_"
    " __tls_get_addr clock clock64 ";

/* Of <math.h>; each also with f, most with a finite variant. */
static const char math[] =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf"
    " erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp"
    " hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2"
    " logb lrint lround modf nan nearbyint nextafter pow remainder remquo"
    " rint round scalbln scalbn sin sincos sinh sqrt tan tanh tgamma trunc"
    " y0 y1 yn ";

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

int is_device_import(const char *name)
{
    const size_t length = strlen(name);

    return is_listed(runtime, name, length)
           || is_listed(library, name, length)
           || is_listed(math, name, length)
           || (length > 1 && name[length - 1] == 'f'
               && is_listed(math, name, length - 1));
}
