/* SPDX-License-Identifier: MIT */
/** @file
 *  The last error, names and texts of errors, begin and end of every call.
 */
#include "call.h"

#include "device.h"
#include "host_access.h"
#include "softgpu/abi.h"
#include "user_object.h"

pthread_mutex_t softgpu_lock = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local cudaError_t last_error;
static _Thread_local int in_callback;
static _Thread_local int runtime_was_used;
SOFTGPU_TLS const void *softgpu_outer_site;
SOFTGPU_TLS const void *softgpu_library_site;

cudaError_t softgpu_call_begin(void)
{
    if (softgpu_tls.block || in_callback)
        return cudaErrorNotPermitted;
    if (!softgpu_outer_site)
        runtime_was_used = 1;
    pthread_mutex_lock(&softgpu_lock);
    softgpu_initialize();
    if (softgpu_has_no_device) {
        softgpu_warn_at_call("this call is not available where host code and "
                             "kernels run in two processes");
        return cudaErrorNotSupported;
    }
    softgpu_host_call_begin();
    return softgpu_device()->failure;
}

cudaError_t softgpu_call_end(cudaError_t error)
{
    if (softgpu_tls.block || in_callback)
        return softgpu_record_error(error);
    softgpu_memory_protect_if_idle();
    softgpu_host_call_end();
    struct CUuserObject_st *due = softgpu_objects_to_destroy();
    pthread_mutex_unlock(&softgpu_lock);
    if (due)
        softgpu_objects_destroy(due);
    return softgpu_record_error(error);
}

cudaError_t softgpu_record_error(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

int softgpu_runtime_was_used(void)
{
    return runtime_was_used;
}

cudaError_t softgpu_swap_last_error(cudaError_t error)
{
    const cudaError_t before = last_error;
    last_error = error;
    return before;
}

void softgpu_set_in_callback(int inside)
{
    in_callback = inside;
}

int softgpu_in_callback(void)
{
    return in_callback;
}

void softgpu_clear_error(void)
{
    last_error = cudaSuccess;
}

/* The current device's sticky error; taken without the lock. */
static cudaError_t sticky_error(void)
{
    return softgpu_is_initialized() ? softgpu_device()->failure : cudaSuccess;
}

void softgpu_note_refused_free(void *p)
{
    if (p && sticky_error())
        SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_BY_FAULT, p));
}

cudaError_t cudaPeekAtLastError(void)
{
    const cudaError_t failure = sticky_error();
    SOFTGPU_HOOK(error_read, ());
    return failure ? failure : last_error;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch ((int)error) {
#define CASE(name, number, text) \
    case number:                 \
        return #name;
        SOFTGPU_ERRORS(CASE)
#undef CASE
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch ((int)error) {
#define CASE(name, number, text) \
    case number:                 \
        return text;
        SOFTGPU_ERRORS(CASE)
#undef CASE
    }
    return "unrecognized error code";
}
