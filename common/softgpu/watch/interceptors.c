/* SPDX-License-Identifier: MIT */
/* Interceptors of C library functions: a checked program is linked with --wrap
 * for each.  malloc and new in a kernel allocate from the host's heap; the
 * checker tracks these allocations as device memory.  Some of <math.h>, and
 * printf(), store without instrumentation. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/code_range.h"
#include "common/softgpu/core/fault.h"
#include "common/softgpu/host/remote.h"
#include "allocations.h"
#include "check.h"

void *__real_malloc(size_t bytes);
void __real_free(void *p);

static _Atomic size_t live_blocks; /* allocations of kernels */
static SOFTGPU_TLS int in_wrapper;

static void *allocate_in_kernel(size_t bytes, uintptr_t site)
{
    void *p = __real_malloc(bytes);

    if (!p || !softgpu_tls.block || in_wrapper
        || !softgpu_is_program_code((const void *)site))
        return p;
    in_wrapper = 1;
    allocation_add_heap(p, bytes, site);
    atomic_fetch_add(&live_blocks, 1);
    in_wrapper = 0;
    return p;
}

/* In the device process of a grade a kernel frees no memory of the runtime's,
 * which it would be given next. */
static void free_in_kernel(void *p, uintptr_t site)
{
    bool is_known = false;

    if (p && !in_wrapper && atomic_load(&live_blocks)) {
        in_wrapper = 1;
        is_known = allocation_free_heap(p, site);
        in_wrapper = 0;
    }
    if (p && !is_known && softgpu_remote && softgpu_tls.block && !in_wrapper
        && softgpu_is_program_code((const void *)site))
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "a kernel frees what it has not "
                     "allocated");
    __real_free(p);
}

#define CALL_SITE ((uintptr_t)__builtin_return_address(0))

void *__wrap_malloc(size_t bytes)
{
    return allocate_in_kernel(bytes, CALL_SITE);
}

void __wrap_free(void *p) { free_in_kernel(p, CALL_SITE); }

/* C++: operator new and delete, plain and for arrays. */

void *_Znwm(size_t bytes)
{
    void *p = allocate_in_kernel(bytes ? bytes : 1, CALL_SITE);

    if (!p)
        abort(); /* there are no exceptions in kernels */
    return p;
}

void *_Znam(size_t bytes)
{
    void *p = allocate_in_kernel(bytes ? bytes : 1, CALL_SITE);

    if (!p)
        abort();
    return p;
}

void _ZdlPv(void *p) { free_in_kernel(p, CALL_SITE); }
void _ZdaPv(void *p) { free_in_kernel(p, CALL_SITE); }
void _ZdlPvm(void *p, size_t bytes)
{
    (void)bytes, free_in_kernel(p, CALL_SITE);
}
void _ZdaPvm(void *p, size_t bytes)
{
    (void)bytes, free_in_kernel(p, CALL_SITE);
}

/* --- printf() ------------------------------------------------------------- */

int __real_vprintf(const char *format, va_list arguments);

/* Has the format a %n, which CUDA does not know?  It stores unseen. */
static bool has_store(const char *format)
{
    for (const char *at = format; (at = strchr(at, '%')); at++) {
        at += 1 + strspn(at + 1, "0123456789.*$ +-#'lhjztLqI");
        if (*at == 'n')
            return true;
        if (!*at)
            return false;
    }
    return false;
}

/* Another thread may change the format: a copy is read. */
int __wrap_vprintf(const char *format, va_list arguments)
{
    char *copy = softgpu_tls.block && format ? strdup(format) : NULL;
    int bytes;

    if (copy && has_store(copy)) {
        __real_free(copy);
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "printf() has no %%n in kernels");
    }
    bytes = __real_vprintf(copy ? copy : format, arguments);
    __real_free(copy);
    return bytes;
}

int __wrap_printf(const char *format, ...)
{
    va_list arguments;
    int bytes;

    va_start(arguments, format);
    bytes = __wrap_vprintf(format, arguments);
    va_end(arguments);
    return bytes;
}

/* --- functions of <math.h> that store a second result --------------------- */

static void check_store(const void *to, size_t bytes, uintptr_t site)
{
    if (softgpu_is_program_code((const void *)site))
        check_library_access(to, bytes, ACCESS_WRITE, site);
}

#define STORES(type, name, parameters, arguments, result)                     \
    type __real_##name parameters;                                            \
    type __wrap_##name parameters                                             \
    {                                                                         \
        check_store(result, sizeof *result, CALL_SITE);              \
        return __real_##name arguments;                                       \
    }
STORES(double, modf, (double x, double *whole), (x, whole), whole)
STORES(float, modff, (float x, float *whole), (x, whole), whole)
STORES(double, frexp, (double x, int *exponent), (x, exponent), exponent)
STORES(float, frexpf, (float x, int *exponent), (x, exponent), exponent)
STORES(double, remquo, (double x, double y, int *quotient), (x, y, quotient),
       quotient)
STORES(float, remquof, (float x, float y, int *quotient), (x, y, quotient),
       quotient)

#define STORES_TWO(type, name)                                                \
    void __real_##name(type x, type *sine, type *cosine);                     \
    void __wrap_##name(type x, type *sine, type *cosine)                      \
    {                                                                         \
        check_store(sine, sizeof *sine, CALL_SITE);                  \
        check_store(cosine, sizeof *cosine, CALL_SITE);              \
        __real_##name(x, sine, cosine);                                       \
    }
STORES_TWO(double, sincos)
STORES_TWO(float, sincosf)
