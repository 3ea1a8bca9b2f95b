/* SPDX-License-Identifier: MIT */
/** @file
 *  Launching: what <<<>>> and cudaLaunchKernel become.
 *
 *  The shape is pushed, then the kernel's stub is called, which hands over its
 *  closure.  Arguments may launch kernels themselves, hence a stack.
 */
#include "launch.h"

#include "../cards/occupancy.h"
#include "../core/core.h"
#include "call.h"
#include "memory.h"
#include "refusal.h"
#include "stream.h"

#define NESTED 16 /* launches within the arguments of launches */

/** A shape that waits for its kernel. */
struct pushed {
    const void *site;   /* of <<<...>>>; NULL: a runtime call made it */
    dim3 grid, block;
    size_t dynamic;
    cudaStream_t stream;
    int cooperative;
    struct softgpu_work *into; /**< make work of it instead of queueing it */
    cudaError_t error;         /**< what became of it */
};

static _Thread_local struct pushed pushed[NESTED];
static _Thread_local int depth;

cudaError_t softgpu_check_shape(dim3 grid, dim3 block)
{
    if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
        return cudaErrorInvalidConfiguration;
    if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (block.x > 1024 || block.y > 1024 || block.z > 64
        || block.x * block.y * block.z > 1024)
        return cudaErrorInvalidConfiguration;
    return cudaSuccess;
}

struct softgpu_kernel *softgpu_kernel_at(const void *func)
{
    return func ? softgpu_find_kernel(func) : NULL;
}

size_t softgpu_static_shared(const struct softgpu_kernel *kernel)
{
    return (size_t)kernel->static_shared + kernel->function_shared;
}

size_t softgpu_dynamic_limit(const struct softgpu_kernel *kernel)
{
    if (kernel->max_dynamic >= 0)
        return (size_t)kernel->max_dynamic;
    const size_t fixed = softgpu_static_shared(kernel);
    const size_t block = softgpu_card()->shared_block;
    return fixed < block ? block - fixed : 0;
}

static int blocks_on_card(const struct softgpu_kernel_work *k)
{
    const struct softgpu_block_needs needs = {
        (int)(k->block.x * k->block.y * k->block.z),
        SOFTGPU_DECLARED_REGISTERS,
        softgpu_static_shared(k->kernel) + k->dynamic};
    return softgpu_blocks_per_sm(softgpu_card(), &needs)
           * softgpu_card()->sms;
}

double softgpu_share_of_card(const struct softgpu_kernel_work *k)
{
    const double blocks = (double)k->grid.x * k->grid.y * k->grid.z;
    const int fit = blocks_on_card(k);
    return fit && blocks < fit ? blocks / fit : 1.0;
}

cudaError_t softgpu_check_launch(const struct softgpu_kernel_work *k)
{
    const cudaError_t shape = softgpu_check_shape(k->grid, k->block);
    if (shape)
        return shape;
    const unsigned threads = k->block.x * k->block.y * k->block.z;
    if (k->kernel->max_threads && threads > k->kernel->max_threads)
        return cudaErrorLaunchOutOfResources;
    if (k->dynamic > softgpu_dynamic_limit(k->kernel)
        || softgpu_static_shared(k->kernel) > softgpu_card()->shared_block)
        return cudaErrorInvalidValue;
    const double blocks = (double)k->grid.x * k->grid.y * k->grid.z;
    if (k->cooperative && blocks > blocks_on_card(k))
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

static int push(const struct pushed *p)
{
    if (depth == NESTED)
        return softgpu_record(cudaErrorLaunchFailure);
    pushed[depth++] = *p;
    return cudaSuccess;
}

/* Tell the watchers of a launch that was refused. */
static void report_failure(cudaError_t error, const void *site)
{
    softgpu_call_site = site;
    if (error)
        SOFTGPU_HOOK(launch_failed, (error));
}

int softgpu_push(dim3 grid, dim3 block, size_t shared_bytes, void *stream)
{
    const struct pushed p = {.grid = grid, .block = block,
                             .dynamic = shared_bytes,
                             .stream = (cudaStream_t)stream,
                             .site = __builtin_return_address(0)};
    cudaError_t error = softgpu_enter();
    if (!error)
        error = softgpu_check_shape(grid, block);
    if (error)
        softgpu_explain_shape(grid, block);
    else
        error = (cudaError_t)push(&p);
    report_failure(error, __builtin_return_address(0));
    return softgpu_leave(error);
}

/* Make work of a pushed shape and its closure. */
static cudaError_t make(struct softgpu_work *work, const struct pushed *p,
                        struct softgpu_kernel *kernel, const void *closure,
                        size_t bytes, size_t align)
{
    *work = (struct softgpu_work){
        .kind = SOFTGPU_KERNEL, .device = softgpu_device(),
        .kernel = {.kernel = kernel, .bytes = bytes, .align = align,
                   .grid = p->grid, .block = p->block, .dynamic = p->dynamic,
                   .cooperative = p->cooperative}};
    const cudaError_t error = softgpu_check_launch(&work->kernel);
    if (error)
        softgpu_explain_launch(&work->kernel, error);
    if (!error)
        work->kernel.closure = softgpu_clone_closure(closure, bytes, align);
    if (!error && work->kernel.closure)
        return cudaSuccess;
    work->kind = SOFTGPU_EMPTY;
    return error ? error : cudaErrorMemoryAllocation;
}

/* Queue work on the stream of its shape. */
static cudaError_t queue(const struct pushed *p, struct softgpu_work *work)
{
    struct CUstream_st *s = softgpu_stream(p->stream);
    if (s && s->device == softgpu_device())
        return softgpu_submit(s, work);
    softgpu_work_drop(work);
    return cudaErrorInvalidResourceHandle;
}

void softgpu_launch(struct softgpu_kernel *kernel, const void *closure,
                    size_t bytes, size_t align)
{
    cudaError_t error = softgpu_enter();
    if (!error && depth == 0)
        error = cudaErrorMissingConfiguration; /* called as a function */
    struct pushed *p = depth ? &pushed[--depth] : NULL;
    struct softgpu_work work;
    if (!error)
        error = make(p->into ? p->into : &work, p, kernel, closure, bytes,
                     align);
    if (!error && !p->into)
        error = queue(p, &work);
    if (p)
        p->error = error; /* still there: a push overwrites it */
    report_failure(error, !p        ? __builtin_return_address(0)
                          : p->site ? p->site
                                    : softgpu_call_site);
    softgpu_leave(error);
}

/* Push a shape and call the stub; the lock must not be held. */
static cudaError_t call_stub(const struct pushed *p,
                             struct softgpu_kernel *kernel, void **args)
{
    const int at = depth;
    const cudaError_t error = (cudaError_t)push(p);
    if (error)
        return error;
    kernel->call(args);
    return pushed[at].error;
}

static cudaError_t launch(const void *func, const struct pushed *p,
                          void **args)
{
    cudaError_t error = softgpu_enter();
    struct softgpu_kernel *kernel = softgpu_kernel_at(func);
    if (!error && !kernel)
        error = cudaErrorInvalidDeviceFunction;
    if (!error)
        error = softgpu_check_shape(p->grid, p->block);
    if (error)
        softgpu_explain_shape(p->grid, p->block);
    if (!error && kernel->params && !args)
        error = cudaErrorInvalidValue;
    error = softgpu_leave(error);
    return error ? error : call_stub(p, kernel, args);
}

cudaError_t softgpu_make_kernel_work(
    struct softgpu_work *work, const struct cudaKernelNodeParams *params,
    int cooperative)
{
    const struct pushed p = {.grid = params->gridDim,
                             .block = params->blockDim,
                             .dynamic = params->sharedMemBytes,
                             .cooperative = cooperative, .into = work};
    struct softgpu_kernel *kernel = softgpu_kernel_at(params->func);
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    if (params->extra || (kernel->params && !params->kernelParams))
        return cudaErrorInvalidValue;
    pthread_mutex_unlock(&softgpu_lock);
    const cudaError_t error = call_stub(&p, kernel, params->kernelParams);
    pthread_mutex_lock(&softgpu_lock);
    if (error)
        return error;
    return softgpu_keep_args(&work->kernel, params->kernelParams)
               ? cudaErrorMemoryAllocation
               : cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem,
                             cudaStream_t stream)
{
    const struct pushed p = {.grid = gridDim, .block = blockDim,
                             .dynamic = sharedMem, .stream = stream};
    return launch(func, &p, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim,
                                        dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream)
{
    const struct pushed p = {.grid = gridDim, .block = blockDim,
                             .dynamic = sharedMem, .stream = stream,
                             .cooperative = 1};
    return launch(func, &p, args);
}

/* Read one attribute into the shape.  @return whether it may be so */
static cudaError_t apply(struct pushed *p, const cudaLaunchAttribute *a)
{
    switch (a->id) {
    case cudaLaunchAttributeCooperative:
        p->cooperative = a->val.cooperative != 0;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributePreferredClusterDimension:
        return a->val.clusterDim.x == 1 && a->val.clusterDim.y == 1
                       && a->val.clusterDim.z == 1
                   ? cudaSuccess
                   : cudaErrorNotSupported;
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return cudaErrorNotSupported;
    default:
        return cudaSuccess; /* a hint */
    }
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *func, void **args)
{
    if (!config || (config->numAttrs && !config->attrs))
        return softgpu_record(cudaErrorInvalidValue);
    struct pushed p = {.grid = config->gridDim, .block = config->blockDim,
                       .dynamic = config->dynamicSmemBytes,
                       .stream = config->stream};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaError_t error = apply(&p, &config->attrs[i]);
        if (error)
            return softgpu_record(error);
    }
    return launch(func, &p, args);
}
