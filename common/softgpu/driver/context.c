/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: initialization, errors, contexts.
 */
#include <pthread.h>
#include <stdlib.h>

#include "common/softgpu/host/call.h"
#include "driver.h"

enum { DEPTH = 64, DEVICES = 16 };

static int initialized;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUctx_st *all_contexts;
static struct CUctx_st primary[DEVICES];
/* this thread's stack of contexts */
static _Thread_local struct CUctx_st *stack[DEPTH];
static _Thread_local int depth;
static _Thread_local cudaError_t error_before;
static _Thread_local int call_depth;

/* --- the frame of a call -------------------------------------------------- */

/* Every device has a primary context. */
static void prepare_primaries(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < DEVICES; i++) {
        primary[i].device = i;
        primary[i].is_primary = 1;
    }
    pthread_mutex_unlock(&lock);
}

/* A current context whose device's runtime is used, which a call of the runtime
 * API made current. */
static struct CUctx_st *context_of_runtime(void)
{
    int device = 0;
    if (!softgpu_runtime_was_used() || cudaGetDevice(&device))
        return NULL;
    if (!initialized)
        prepare_primaries();
    return &primary[device];
}

struct CUctx_st *softgpu_current_context(void)
{
    return depth ? stack[depth - 1] : context_of_runtime();
}

CUresult softgpu_driver_begin(enum softgpu_driver_need need, const void *site)
{
    if (need != SOFTGPU_NEEDS_NOTHING && !initialized
        && !softgpu_runtime_was_used())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (call_depth++ == 0) {
        softgpu_outer_site = site;
        error_before = softgpu_swap_last_error(cudaSuccess);
    }
    const struct CUctx_st *c = softgpu_current_context();
    CUresult result = CUDA_SUCCESS;
    if (need == SOFTGPU_NEEDS_CONTEXT && (!c || !(c->alive || c->is_primary)))
        result = c ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                   : CUDA_ERROR_INVALID_CONTEXT;
    if (result)
        softgpu_driver_end(cudaSuccess);
    return result;
}

/* The driver's code for an error that only the runtime has. */
static CUresult translate(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidDeviceFunction:
        return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidFilterSetting:
    case cudaErrorInvalidNormSetting:
        return CUDA_ERROR_INVALID_VALUE;
    default:
        return (CUresult)error;
    }
}

CUresult softgpu_driver_end(cudaError_t error)
{
    if (--call_depth == 0) {
        softgpu_swap_last_error(error_before);
        softgpu_outer_site = NULL;
    }
    return translate(error);
}

CUresult cuInit(unsigned int flags)
{
    int count = 0;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = softgpu_driver_begin(SOFTGPU_NEEDS_NOTHING,
                                           __builtin_return_address(0));
    if (!result)
        result = softgpu_driver_end(cudaGetDeviceCount(&count));
    prepare_primaries();
    initialized = result == CUDA_SUCCESS;
    return result;
}

CUresult cuDriverGetVersion(int *version)
{
    SOFTGPU_DRIVER_CALL(NOTHING, cudaDriverGetVersion(version));
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = NULL;
    switch ((int)error) {
#define CASE(code, number) \
    case number:           \
        *name = #code;     \
        return CUDA_SUCCESS;
        SOFTGPU_DRIVER_ERRORS(CASE)
#undef CASE
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    const char *name;
    const CUresult result =
        text ? cuGetErrorName(error, &name) : CUDA_ERROR_INVALID_VALUE;
    if (text)
        *text = result ? NULL : cudaGetErrorString((cudaError_t)error);
    return result;
}

/* --- stack of contexts ---------------------------------------------------- */

/* Is c a primary context, or one that was created and not destroyed? */
static int is_context(const struct CUctx_st *c)
{
    for (int i = 0; i < DEVICES; i++)
        if (c == &primary[i])
            return 1;
    pthread_mutex_lock(&lock);
    const struct CUctx_st *at = all_contexts;
    while (at && at != c)
        at = at->next;
    pthread_mutex_unlock(&lock);
    return at && at->alive;
}

/* Let the runtime use the device of the current context. */
static cudaError_t use_top(void)
{
    return depth ? cudaSetDevice(stack[depth - 1]->device) : cudaSuccess;
}

/* Make a context current above the present one. */
static cudaError_t push(struct CUctx_st *c)
{
    if (!is_context(c))
        return cudaErrorDeviceUninitialized;
    if (depth == DEPTH)
        return cudaErrorMemoryAllocation;
    stack[depth++] = c;
    return use_top();
}

/* Make the context below current; *to is the one that was. */
static cudaError_t pop(struct CUctx_st **to)
{
    if (!depth)
        return cudaErrorDeviceUninitialized;
    depth--;
    if (to)
        *to = stack[depth];
    return use_top();
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    SOFTGPU_DRIVER_CALL(INIT, push(context));
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    SOFTGPU_DRIVER_CALL(INIT, pop(context));
}

/* Replace the top of the stack; NULL removes it. */
static cudaError_t set_current(struct CUctx_st *c)
{
    if (c && !is_context(c))
        return cudaErrorDeviceUninitialized;
    if (depth)
        depth--;
    return c ? push(c) : use_top();
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    SOFTGPU_DRIVER_CALL(INIT, set_current(context));
}

/* The current context, also one that the runtime made current. */
static cudaError_t get_current(CUcontext *to)
{
    if (!to)
        return cudaErrorInvalidValue;
    *to = softgpu_current_context();
    return cudaSuccess;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    SOFTGPU_DRIVER_CALL(INIT, get_current(context));
}

/* --- creation ------------------------------------------------------------- */

/* Is there a device of this number? */
static cudaError_t check_device(int device)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    return error ? error
           : device < 0 || device >= count ? cudaErrorInvalidDevice
                                           : cudaSuccess;
}

/* A new context, current at once. */
static cudaError_t create(CUcontext *to, unsigned flags, int device)
{
    const unsigned known =
        CU_CTX_SCHED_MASK | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX;
    if (!to || flags & ~known)
        return cudaErrorInvalidValue;
    const cudaError_t error = check_device(device);
    if (error)
        return error;
    struct CUctx_st *c = calloc(1, sizeof *c);
    if (!c)
        return cudaErrorMemoryAllocation;
    c->device = device;
    c->alive = 1;
    c->flags = flags;
    pthread_mutex_lock(&lock);
    c->next = all_contexts;
    all_contexts = c;
    pthread_mutex_unlock(&lock);
    *to = c;
    return push(c);
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    SOFTGPU_DRIVER_CALL(INIT, create(context, flags, device));
}

/* Every context has the whole device. */
static cudaError_t create_with(CUcontext *to, const CUctxCreateParams *p,
                               unsigned flags, CUdevice device)
{
    if (p && (p->numExecAffinityParams || p->cigParams))
        return cudaErrorNotSupported;
    return create(to, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters,
                        unsigned int flags, CUdevice device)
{
    SOFTGPU_DRIVER_CALL(INIT, create_with(context, parameters, flags, device));
}

/* Wait for the work of the device, then mark the context as gone: the
 * structure stays, so that a later use of the handle is recognized. */
static cudaError_t destroy(struct CUctx_st *c)
{
    if (!is_context(c) || c->is_primary)
        return cudaErrorDeviceUninitialized;
    const int is_current = depth && stack[depth - 1] == c;
    int before = 0;
    cudaError_t error = cudaGetDevice(&before);
    if (!error)
        error = cudaSetDevice(c->device);
    if (!error)
        error = cudaDeviceSynchronize();
    cudaSetDevice(before);
    c->alive = 0;
    if (is_current)
        pop(NULL);
    return error;
}

CUresult cuCtxDestroy(CUcontext context)
{
    SOFTGPU_DRIVER_CALL(INIT, destroy(context));
}

/* --- primary contexts ----------------------------------------------------- */

/* Count one more user of a primary context. */
static cudaError_t retain(CUcontext *to, int device)
{
    const cudaError_t error =
        to ? check_device(device) : cudaErrorInvalidValue;
    if (error)
        return error;
    pthread_mutex_lock(&lock);
    primary[device].references++;
    primary[device].alive = 1;
    pthread_mutex_unlock(&lock);
    *to = &primary[device];
    return cudaSuccess;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    SOFTGPU_DRIVER_CALL(INIT, retain(context, device));
}

/* Count one user less. */
static cudaError_t release(int device)
{
    cudaError_t error = check_device(device);
    if (error)
        return error;
    pthread_mutex_lock(&lock);
    if (primary[device].references)
        primary[device].alive = --primary[device].references > 0;
    else
        error = cudaErrorDeviceUninitialized;
    pthread_mutex_unlock(&lock);
    return error;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    SOFTGPU_DRIVER_CALL(INIT, release(device));
}

/* Reset a device that need not be the current one. */
static cudaError_t reset(int device)
{
    int before = 0;
    cudaError_t error = cudaGetDevice(&before);
    if (!error)
        error = cudaSetDevice(device);
    if (!error)
        error = cudaDeviceReset();
    cudaSetDevice(before);
    return error;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    SOFTGPU_DRIVER_CALL(INIT, reset(device));
}

/* Flags are stored, without effect. */
static cudaError_t set_primary_flags(int device, unsigned flags)
{
    const cudaError_t error = check_device(device);
    if (!error)
        primary[device].flags = flags;
    return error;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(INIT, set_primary_flags(device, flags));
}

/* A primary context is active while it is retained, and as soon as the
 * runtime API is used. */
static cudaError_t primary_state(int device, unsigned *flags, int *active)
{
    const cudaError_t error =
        flags && active ? check_device(device) : cudaErrorInvalidValue;
    if (error)
        return error;
    *flags = primary[device].flags;
    *active = primary[device].alive || softgpu_runtime_was_used();
    return cudaSuccess;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags,
                                    int *active)
{
    SOFTGPU_DRIVER_CALL(INIT, primary_state(device, flags, active));
}
