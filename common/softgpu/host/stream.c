/* SPDX-License-Identifier: MIT */
/** @file
 *  The stream API.
 */
#include "stream.h"

#include <stdlib.h>

#include "common/softgpu/core/permute.h"
#include "call.h"
#include "capture.h"
#include "event.h"

#define GREATEST_PRIORITY (-5) /* as on GPUs since compute capability 6.0 */

int softgpu_per_thread_default; /* by --default-stream per-thread */

/* Their addresses do not depend on what else was allocated: host code of
 * another process sees them, and kernels allocate. */
enum { MAX_STREAMS = 1 << 14 };
static struct CUstream_st streams[MAX_STREAMS];
static unsigned stream_count;

static struct CUstream_st *all;
static unsigned long long ids;
static _Thread_local struct CUstream_st
    *per_thread_streams[SOFTGPU_MAX_DEVICES];

struct CUstream_st *softgpu_streams(void)
{
    return all;
}

struct CUstream_st *softgpu_random_stream(void)
{
    static uint64_t state;
    static int seeded = -1;
    const char *seed = getenv("SOFTGPU_SEED");
    struct CUstream_st *one = NULL;
    uint64_t n = 0;
    if (seeded < 0) {
        state = seed ? strtoull(seed, NULL, 10) : 0;
        seeded = state != 0;
    }
    if (!seeded || softgpu_hooks)
        return NULL;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->head && softgpu_random(&state) % ++n == 0)
            one = s;
    return one;
}

struct CUstream_st *softgpu_oldest_stream(const struct softgpu_device *device)
{
    struct CUstream_st *first = NULL;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->head && (!device || s->device == device)
            && (!first || s->head->number < first->head->number))
            first = s;
    return first;
}

uint64_t softgpu_oldest_command(void)
{
    const struct CUstream_st *s = softgpu_oldest_stream(NULL);
    return s ? s->head->number : 0;
}

struct CUstream_st *softgpu_stream_new(struct softgpu_device *device)
{
    struct CUstream_st *s = all;
    while (s && (s->alive || s->head))
        s = s->next;
    if (!s) {
        if (stream_count == MAX_STREAMS)
            return NULL;
        s = &streams[stream_count++];
        s->next = all;
        all = s;
    }
    struct CUstream_st *const next = s->next;
    *s = (struct CUstream_st){.device = device, .alive = 1, .id = ++ids,
                              .next = next};
    return s;
}

static struct CUstream_st *legacy(struct softgpu_device *device)
{
    if (!device->legacy) {
        device->legacy = softgpu_stream_new(device);
        if (device->legacy)
            device->legacy->is_default = 1;
    }
    return device->legacy;
}

static struct CUstream_st *per_thread_stream(struct softgpu_device *device)
{
    struct CUstream_st **mine = &per_thread_streams[device->index];
    if (!*mine || !(*mine)->alive || (*mine)->device != device)
        *mine = softgpu_stream_new(device);
    return *mine;
}

struct CUstream_st *softgpu_stream(cudaStream_t handle)
{
    struct softgpu_device *device = softgpu_device();
    if (handle == cudaStreamPerThread
        || (!handle && softgpu_per_thread_default))
        return per_thread_stream(device);
    if (!handle || handle == cudaStreamLegacy)
        return legacy(device);
    struct CUstream_st *s = all;
    while (s && s != handle)
        s = s->next;
    return s && s->alive ? s : NULL;
}

static cudaError_t create(cudaStream_t *stream, unsigned flags, int priority)
{
    if (!stream || flags & ~(unsigned)cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    struct CUstream_st *s = softgpu_stream_new(softgpu_device());
    if (!s)
        return cudaErrorMemoryAllocation;
    s->flags = flags;
    s->priority = priority > 0                   ? 0
                  : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                                 : priority;
    *stream = s;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    SOFTGPU_CALL(create(stream, cudaStreamDefault, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    if (softgpu_tls.block && stream) { /* all streams of a grid are one */
        *stream = cudaStreamFireAndForget;
        return cudaSuccess;
    }
    SOFTGPU_CALL(create(stream, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream,
                                         unsigned int flags, int priority)
{
    SOFTGPU_CALL(create(stream, flags, priority));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    SOFTGPU_CALL(cudaSuccess);
}

static cudaError_t destroy(cudaStream_t handle)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s || s != handle || s->is_default)
        return cudaErrorInvalidResourceHandle;
    softgpu_capture_detach(s);
    s->alive = 0; /* queued commands still run at a later wait */
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (softgpu_tls.block)
        return cudaSuccess;
    SOFTGPU_CALL(destroy(stream));
}

cudaError_t softgpu_check_wait(struct CUstream_st *stream)
{
    const int own_capture = stream && stream->capture;
    if (!own_capture && (stream || !softgpu_is_capturing(softgpu_device())))
        return cudaSuccess;
    softgpu_capture_invalidate(stream);
    return cudaErrorStreamCaptureUnsupported;
}

static cudaError_t synchronize(cudaStream_t handle)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = softgpu_check_wait(s);
    if (!error && s->is_default)
        error = softgpu_capture_check_stream(s);
    return error ? error : softgpu_run_until(softgpu_stream_end(s));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    SOFTGPU_CALL(synchronize(stream));
}

static cudaError_t query(cudaStream_t handle)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t error = softgpu_check_wait(s);
    return error ? error : softgpu_run_one_command(softgpu_stream_end(s));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    SOFTGPU_CALL(query(stream));
}

/* Queue a call of a host function. */
static cudaError_t call_host(cudaStream_t handle,
                             struct softgpu_host_command call)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!call.fn && !call.callback)
        return cudaErrorInvalidValue;
    if (call.callback && s->capture) {
        s->capture->invalidated = 1;
        return cudaErrorStreamCaptureUnsupported;
    }
    struct softgpu_command command = {.kind = SOFTGPU_HOST, .device = s->device,
                                .host = call};
    return softgpu_submit(s, &command);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                               void *userData)
{
    const struct softgpu_host_command call = {.fn = fn, .data = userData};
    SOFTGPU_CALL(call_host(stream, call));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags)
{
    const struct softgpu_host_command call = {
        .callback = callback, .stream = stream, .data = userData};
    SOFTGPU_CALL(flags ? cudaErrorInvalidValue : call_host(stream, call));
}

/* Define a call that reads a property of a stream. */
#define GETTER(function, type, member)                                    \
    cudaError_t function(cudaStream_t stream, type *value)                \
    {                                                                     \
        cudaError_t error = softgpu_call_begin();                              \
        const struct CUstream_st *s = error ? NULL                        \
                                            : softgpu_stream(stream);     \
        if (!error && !s)                                                 \
            error = cudaErrorInvalidResourceHandle;                       \
        if (!error && !value)                                             \
            error = cudaErrorInvalidValue;                                \
        if (!error)                                                       \
            *value = (type)s->member;                                     \
        return softgpu_call_end(error);                                      \
    }
GETTER(cudaStreamGetFlags, unsigned int, flags)
GETTER(cudaStreamGetPriority, int, priority)
GETTER(cudaStreamGetDevice, int, device->index)
GETTER(cudaStreamGetId, unsigned long long, id)

/* The stored value of a stream attribute, or NULL. */
static cudaLaunchAttributeValue *hint(struct CUstream_st *s,
                                      cudaLaunchAttributeID attribute)
{
    switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
        return &s->window;
    case cudaLaunchAttributeSynchronizationPolicy:
        return &s->policy;
    default:
        return NULL;
    }
}

static cudaError_t attribute_of(cudaStream_t handle,
                                cudaLaunchAttributeID attribute,
                                cudaLaunchAttributeValue *out,
                                const cudaLaunchAttributeValue *in)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    cudaLaunchAttributeValue *references = hint(s, attribute);
    if (!out && !in)
        return cudaErrorInvalidValue;
    if (attribute == cudaLaunchAttributePriority && out)
        out->priority = s->priority;
    else if (attribute == cudaLaunchAttributePriority)
        s->priority = in->priority;
    else if (!references)
        return cudaErrorInvalidValue;
    else if (out)
        *out = *references;
    else
        *references = *in;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream,
                                   cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value)
{
    SOFTGPU_CALL(attribute_of(stream, attribute, NULL, value));
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream,
                                   cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value)
{
    SOFTGPU_CALL(attribute_of(stream, attribute, value, NULL));
}
