/* SPDX-License-Identifier: MIT */
/** @file
 *  Kernel launches by <<<>>> and cudaLaunchKernel().
 *
 *  The launch configuration is pushed on a stack, then the kernel's host stub
 *  is called, which passes its arguments as a closure.  It is a stack because
 *  the evaluation of arguments may launch kernels, too.
 */
#include "launch.h"

#include "common/softgpu/cards/occupancy.h"
#include "common/softgpu/core/core.h"
#include "call.h"
#include "device_launch.h"
#include "memory.h"
#include "launch_error.h"
#include "stream.h"

#define MAX_NESTED_LAUNCHES 16 /* in the arguments of launches */

/** A launch configuration (<<<...>>>) whose kernel has not been called. */
struct launch_config {
    const void *site; /**< return address; NULL: launched by a runtime call */
    dim3 grid, block;
    size_t dynamic;
    cudaStream_t stream;
    int cooperative;
    struct softgpu_command *out_command; /**< store the command here instead of
                                              queueing it; or NULL */
    cudaError_t error; /**< result of the launch */
};

static _Thread_local struct launch_config launch_config[MAX_NESTED_LAUNCHES];
static _Thread_local int config_depth;

cudaError_t softgpu_check_launch_config(dim3 grid, dim3 block)
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

struct softgpu_kernel *softgpu_find_kernel_of(const void *func)
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

static int resident_blocks(const struct softgpu_kernel_command *k)
{
    const struct softgpu_block_resources needs = {
        (int)(k->block.x * k->block.y * k->block.z),
        SOFTGPU_ASSUMED_REGISTERS,
        softgpu_static_shared(k->kernel) + k->dynamic};
    return softgpu_blocks_per_sm(softgpu_card(), &needs)
           * softgpu_card()->sms;
}

double softgpu_sm_share(const struct softgpu_kernel_command *k)
{
    const double blocks = (double)k->grid.x * k->grid.y * k->grid.z;
    const int fit = resident_blocks(k);
    return fit && blocks < fit ? blocks / fit : 1.0;
}

cudaError_t softgpu_check_launch(const struct softgpu_kernel_command *k)
{
    const cudaError_t shape = softgpu_check_launch_config(k->grid, k->block);
    if (shape)
        return shape;
    const unsigned threads = k->block.x * k->block.y * k->block.z;
    if (k->kernel->max_threads && threads > k->kernel->max_threads)
        return cudaErrorLaunchOutOfResources;
    if (k->dynamic > softgpu_dynamic_limit(k->kernel)
        || softgpu_static_shared(k->kernel) > softgpu_card()->shared_block)
        return cudaErrorInvalidValue;
    const double blocks = (double)k->grid.x * k->grid.y * k->grid.z;
    if (k->cooperative && blocks > resident_blocks(k))
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

/* Kernels until the one that fails, with it; 0: none does. */
static unsigned kernels_to_failure;

void softgpu_fail_kernel(unsigned number)
{
    kernels_to_failure = number;
}

int softgpu_kernel_fails(void)
{
    return kernels_to_failure && --kernels_to_failure == 0;
}

static int push_config(const struct launch_config *p)
{
    if (config_depth == MAX_NESTED_LAUNCHES)
        return softgpu_record_error(cudaErrorLaunchFailure);
    launch_config[config_depth++] = *p;
    return cudaSuccess;
}

/* Report a failed launch to the hooks. */
static void report_failure(cudaError_t error, const void *site)
{
    softgpu_call_site = site;
    if (error)
        SOFTGPU_HOOK(launch_failed, (error));
}

int softgpu_push_config(dim3 grid, dim3 block, size_t shared_bytes,
                        void *stream)
{
    const struct launch_config p = {.grid = grid, .block = block,
                             .dynamic = shared_bytes,
                             .stream = (cudaStream_t)stream,
                             .site = SOFTGPU_CALLER};
    if (softgpu_tls.block)
        return softgpu_push_child(grid, block, shared_bytes, stream);
    cudaError_t error = softgpu_call_begin();
    if (!error)
        error = softgpu_check_launch_config(grid, block);
    if (error)
        softgpu_explain_launch_config(grid, block);
    else
        error = (cudaError_t)push_config(&p);
    report_failure(error, SOFTGPU_CALLER);
    return softgpu_call_end(error);
}

/* Make a command of a launch configuration and a closure. */
static cudaError_t make_command(struct softgpu_command *command,
                                const struct launch_config *p,
                                struct softgpu_kernel *kernel,
                                const void *closure, size_t bytes, size_t align)
{
    *command = (struct softgpu_command){
        .kind = SOFTGPU_KERNEL, .device = softgpu_device(),
        .kernel = {.kernel = kernel, .bytes = bytes, .align = align,
                   .grid = p->grid, .block = p->block, .dynamic = p->dynamic,
                   .cooperative = p->cooperative}};
    const cudaError_t error = softgpu_check_launch(&command->kernel);
    if (error)
        softgpu_explain_launch(&command->kernel, error);
    if (!error)
        command->kernel.closure = softgpu_clone_closure(closure, bytes, align);
    if (!error && command->kernel.closure)
        return cudaSuccess;
    command->kind = SOFTGPU_EMPTY;
    return error ? error : cudaErrorMemoryAllocation;
}

/* Queue a command on the stream of its launch configuration. */
static cudaError_t submit_to_stream(const struct launch_config *p,
                                    struct softgpu_command *command)
{
    struct CUstream_st *s = softgpu_stream(p->stream);
    if (s && s->device == softgpu_device())
        return softgpu_submit(s, command);
    softgpu_command_destroy(command);
    return cudaErrorInvalidResourceHandle;
}

void softgpu_launch(struct softgpu_kernel *kernel, const void *closure,
                    size_t bytes, size_t align)
{
    if (softgpu_tls.block) {
        softgpu_launch_child(kernel, closure, bytes, align);
        return;
    }
    cudaError_t error = softgpu_call_begin();
    if (!error && config_depth == 0)
        error = cudaErrorMissingConfiguration; /* called without <<<>>> */
    if (error == cudaErrorMissingConfiguration)
        softgpu_explain_call(kernel);
    struct launch_config *p =
        config_depth ? &launch_config[--config_depth] : NULL;
    struct softgpu_command command;
    if (!error)
        error = make_command(p->out_command ? p->out_command : &command, p,
                             kernel, closure, bytes, align);
    if (!error && !p->out_command)
        error = submit_to_stream(p, &command);
    if (p)
        p->error = error; /* the popped entry is still valid */
    report_failure(error, !p        ? SOFTGPU_CALLER
                          : p->site ? p->site
                                    : softgpu_call_site);
    softgpu_call_end(error);
}

/* Push a launch configuration and call the stub; without the lock. */
static cudaError_t launch_through_stub(const struct launch_config *p,
                                       struct softgpu_kernel *kernel,
                                       void **args)
{
    const int at = config_depth;
    const cudaError_t error = (cudaError_t)push_config(p);
    if (error)
        return error;
    kernel->call(args);
    return launch_config[at].error;
}

static cudaError_t launch(const void *func, const struct launch_config *p,
                          void **args)
{
    cudaError_t error = softgpu_call_begin();
    struct softgpu_kernel *kernel = softgpu_find_kernel_of(func);
    if (!error && !kernel)
        error = cudaErrorInvalidDeviceFunction;
    if (!error)
        error = softgpu_check_launch_config(p->grid, p->block);
    if (error)
        softgpu_explain_launch_config(p->grid, p->block);
    if (!error && kernel->params && !args)
        error = cudaErrorInvalidValue;
    error = softgpu_call_end(error);
    return error ? error : launch_through_stub(p, kernel, args);
}

cudaError_t softgpu_make_kernel_command(
    struct softgpu_command *command, const struct cudaKernelNodeParams *params,
    int cooperative)
{
    const struct launch_config p = {.grid = params->gridDim,
                                    .block = params->blockDim,
                                    .dynamic = params->sharedMemBytes,
                                    .cooperative = cooperative,
                                    .out_command = command};
    struct softgpu_kernel *kernel = softgpu_find_kernel_of(params->func);
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    if (params->extra || (kernel->params && !params->kernelParams))
        return cudaErrorInvalidValue;
    pthread_mutex_unlock(&softgpu_lock);
    const cudaError_t error =
        launch_through_stub(&p, kernel, params->kernelParams);
    pthread_mutex_lock(&softgpu_lock);
    if (error)
        return error;
    return softgpu_clone_args(&command->kernel, params->kernelParams)
               ? cudaErrorMemoryAllocation
               : cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem,
                             cudaStream_t stream)
{
    const struct launch_config p = {.grid = gridDim, .block = blockDim,
                             .dynamic = sharedMem, .stream = stream};
    return launch(func, &p, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim,
                                        dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream)
{
    const struct launch_config p = {.grid = gridDim, .block = blockDim,
                             .dynamic = sharedMem, .stream = stream,
                             .cooperative = 1};
    return launch(func, &p, args);
}

/* Store one launch attribute.  @return cudaErrorInvalidValue or similar */
static cudaError_t apply_attribute(struct launch_config *p,
                                   const cudaLaunchAttribute *a)
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
        return cudaSuccess; /* no effect */
    }
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *func, void **args)
{
    if (!config || (config->numAttrs && !config->attrs))
        return softgpu_record_error(cudaErrorInvalidValue);
    struct launch_config p = {.grid = config->gridDim,
                              .block = config->blockDim,
                              .dynamic = config->dynamicSmemBytes,
                              .stream = config->stream};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaError_t error = apply_attribute(&p, &config->attrs[i]);
        if (error)
            return softgpu_record_error(error);
    }
    return launch(func, &p, args);
}
